"""How tensors lie in memory, and which views that allows."""
