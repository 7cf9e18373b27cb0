"""Writes torch_tables.py by asking torch itself.

Run by hand with torch, numpy and expecttest installed; `torchlint check` never imports this.
"""
