"""The state that a recurrent layer begins with is read in its first step."""
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim
        self.cell = nn.GRUCell(dim, dim)
        self.rnn = nn.LSTM(dim, dim)

    def forward(self, x):
        state = torch.Tensor(2, self.dim).to(x.device)  # expect: TL202
        return self.cell(x, state)

    def sequence(self, x):
        state = torch.Tensor(1, 2, self.dim).to(x), x.new_zeros(1, 2, self.dim)  # expect: TL202
        return self.rnn(x, state)[0]

    def from_zero(self, x):
        state = torch.Tensor(2, self.dim).zero_().to(x.device)  # note: TL202
        return self.cell(x, state)

    def from_zeros(self, x):
        state = x.new_zeros(2, self.dim)  # ok: TL202
        return self.cell(x, state)

    def by_default(self, x):
        return self.cell(x)  # ok: TL202

    def shapes(self):
        return self.cell(torch.Tensor(2, self.dim)).shape  # note: TL202  only the shape is wanted

    def shapes_of_zeros(self):
        return self.cell(torch.zeros(2, self.dim)).shape  # ok: TL202

    def ones(self, x):
        return self.cell(x, torch.ones_like(x))  # ok: TL202


def demonstrate():
    encoder, x = Encoder(3), torch.ones(2, 3)
    torch.use_deterministic_algorithms(True)
    try:
        assert encoder(x).isnan().all()
        assert encoder.sequence(x[None]).isnan().all()
        assert encoder.from_zero(x).isfinite().all()
        assert encoder.from_zeros(x).isfinite().all()
    finally:
        torch.use_deterministic_algorithms(False)
    assert torch.equal(encoder.by_default(x), encoder.from_zeros(x))
    assert encoder.shapes() == encoder.shapes_of_zeros() == encoder.ones(x).shape
