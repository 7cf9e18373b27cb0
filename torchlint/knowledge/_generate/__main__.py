"""python -m torchlint.knowledge._generate: write torch_tables.py for the installed torch."""

from pathlib import Path

import torch

from torchlint.knowledge._generate.tables import tables
from torchlint.knowledge._generate.write import text

TARGET = Path(__file__).parent.parent / "torch_tables.py"

if __name__ == "__main__":
    torch.set_num_threads(1)  # the tensors are tiny: more threads only wait for each other
    TARGET.write_text(text(tables()), encoding="utf-8")
