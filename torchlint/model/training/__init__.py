"""Training functions: setup, steps, and the protocol of a GradScaler."""
