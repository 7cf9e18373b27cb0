"""What names stand for: imports, annotations, tables of functions, and objects that words tell."""
