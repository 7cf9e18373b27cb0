"""What a run does with the files of which no earlier run is known to hold: read them, link them, ask the rules."""
