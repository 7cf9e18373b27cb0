"""Two folders of scripts, each with its own base.py: what lies beside comes first."""
# not run: each folder is where its own imports begin
from base import Base


class Head(Base):  # class: module; buffers table
    pass
