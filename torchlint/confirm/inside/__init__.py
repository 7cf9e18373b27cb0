"""What runs in the user's interpreter, in child processes: it imports torch, the standard library and itself, and never
the rest of torchlint, which need not be installed there."""
