"""What runs leave for later runs: facts of files by their bytes, findings by what they rest on."""
