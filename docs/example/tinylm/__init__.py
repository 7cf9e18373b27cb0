"""A small language model with five hazards in it; `torchlint check docs/example` names them."""
