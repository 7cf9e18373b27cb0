"""What terms evaluate to: operators, calls, the tables of torch, and what calls bind."""
