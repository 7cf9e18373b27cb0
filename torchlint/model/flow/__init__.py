"""How functions lead to one another, and values through them."""
