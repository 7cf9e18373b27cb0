"""Train and eval: what overrides do with the mode, and which parts are put to sleep."""
