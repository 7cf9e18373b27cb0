"""Values that are kept to be used again, and what makes them stale."""
