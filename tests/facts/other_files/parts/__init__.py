"""The other files of the project."""
