"""float16 and bfloat16: who may be half, and what half cannot hold."""
