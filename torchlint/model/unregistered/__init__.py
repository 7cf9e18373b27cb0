"""State that torch does not know of: plain attributes, containers, what forward leaves behind."""
