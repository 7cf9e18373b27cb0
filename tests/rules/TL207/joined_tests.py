"""A test that joins tests for None and comparisons is no choice of CUDA; one that asks a flag or the device is one."""
import torch
from torch import nn


class Writer(nn.Module):
    def __init__(self, use_cuda: bool = False):
        super().__init__()
        self.use_cuda = use_cuda
        self.embed = nn.Embedding(9, 4)

    def write(self, text=None):
        if text is None or text == "":
            ids = torch.tensor([[0]]).cuda()  # expect: TL207
        else:
            ids = torch.tensor([[len(text)]]).cuda()  # expect: TL207
        return self.embed(ids)

    def write_words(self, words=None):
        ids = torch.tensor([[0]])
        if not (words is not None and len(words) > 2):
            ids = ids.cuda()  # expect: TL207
        return self.embed(ids)

    def write_where_told(self, text=None):
        ids = torch.tensor([[0]])
        if text is not None and self.use_cuda:
            ids = ids.cuda()  # ok: TL207  a flag of the program
        return self.embed(ids)

    def write_beside(self, hidden, text=None):
        ids = torch.tensor([[0]])
        if text is None and hidden.is_cuda:
            ids = ids.cuda()  # ok: TL207  a test of the input's device
        return self.embed(ids) + hidden


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    writer = Writer()
    assert writer.write_where_told("a").shape == (1, 1, 4)
    assert writer.write_beside(torch.zeros(4)).shape == (1, 1, 4)
    with FakeTensorMode():
        ids, table = torch.zeros(1, 1, dtype=torch.long, device="cuda"), torch.zeros(9, 4, device="cpu")
        try:
            nn.functional.embedding(ids, table)
            raise AssertionError("ids of the GPU met a table of the CPU")
        except RuntimeError as error:
            assert "same device" in str(error)
