"""An nn.Module class: its attributes, what is registered under which name, and what renews it."""
