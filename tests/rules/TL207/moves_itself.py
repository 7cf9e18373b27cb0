"""A module that moves itself to the device of its choice may put its inputs there."""
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(3, 2)

    def infer(self, batches):
        device = "cuda" if torch.cuda.is_available() else "cpu"
        self.to(device)
        return [self.embed(ids.to(device)) for ids in batches]  # ok: TL207

    def tag(self, ids):
        device = "cuda" if torch.cuda.is_available() else "cpu"
        return self.embed(ids.to(device))  # expect: TL207


def demonstrate():
    module, ids = Tagger(), torch.zeros(1, dtype=torch.long)
    module.infer([ids])
    if torch.cuda.is_available():
        module.cpu()
        try:
            module.tag(ids)
        except RuntimeError as error:
            assert "device" in str(error)
        else:
            raise AssertionError("a parameter of the CPU met the GPU")
