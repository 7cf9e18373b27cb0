"""A recurrent model makes its first hidden state on a module-level device constant, whatever device the input is on.

source: research recurrent models with a global device constant; own construction
rules: [TL207]
"""
import torch
from torch import nn

DEV = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Recurrent(nn.Module):
    def __init__(self, dim=4, layers=2):
        super().__init__()
        self.dim, self.layers = dim, layers
        self.rnn = nn.GRU(dim, dim, layers, batch_first=True)
        self.out = nn.Linear(dim, 1)

    def first(self, x):
        return torch.zeros(self.layers, x.shape[0], self.dim, device=DEV)  # expect: TL207

    def forward(self, x):
        states, _ = self.rnn(x, self.first(x))
        return self.out(states[:, -1])


class RecurrentFollowing(Recurrent):
    def first(self, x):
        return torch.zeros(self.layers, x.shape[0], self.dim, device=x.device)  # ok: TL207


class RecurrentFromWeights(Recurrent):
    def first(self, x):
        like = self.out.weight
        return like.new_zeros(self.layers, x.shape[0], self.dim)  # ok: TL207


class RecurrentAsked(Recurrent):
    """Asks the input before it moves anything."""

    def first(self, x):
        state = torch.zeros(self.layers, x.shape[0], self.dim)
        if x.is_cuda:
            state = state.cuda()  # ok: TL207
        return state


# ---- demonstration ----
def demonstrate():
    assert Recurrent().to(DEV)(torch.randn(2, 3, 4, device=DEV)).shape == (2, 1)
    models = [cls().to("meta") for cls in (Recurrent, RecurrentFollowing, RecurrentFromWeights)]
    x = torch.randn(2, 3, 4, device="meta")
    try:
        x[:, 0] + models[0].first(x)[0]
        raise AssertionError("two devices were added")
    except RuntimeError as err:
        assert "device" in str(err), err
    for model in models[1:]:
        assert model.first(x).device.type == "meta"
        assert model(x).device.type == "meta"
    assert RecurrentAsked()(torch.randn(2, 3, 4)).shape == (2, 1)
