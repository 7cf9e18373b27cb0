"""What autograd records, what it loses, and who asks for gradients."""
