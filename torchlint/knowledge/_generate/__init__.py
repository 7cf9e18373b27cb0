"""Writes torch_tables.py by asking torch itself. Run by hand with torch installed; `torchlint check` never imports this."""
