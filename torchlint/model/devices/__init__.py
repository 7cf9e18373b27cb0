"""Where tensors lie, and where they meet others."""
