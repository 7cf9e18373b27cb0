"""Dtypes of what is built, and conversions between them."""
