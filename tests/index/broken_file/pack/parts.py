class Reexported(
