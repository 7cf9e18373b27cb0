"""Autocast regions, what runs in them, and what they do to values."""
