"""forward() builds a tensor of numbers that it learns: torch.tensor() of the list copies them, stack() would not."""
import torch
from torch import nn


class EndTime(nn.Module):
    def __init__(self, solver, end=1.0, is_learned=False):
        super().__init__()
        self.solver = solver
        if is_learned:
            self.register_parameter("root", nn.Parameter(torch.sqrt(torch.tensor(end))))
        else:
            self.register_buffer("root", torch.sqrt(torch.tensor(end)))

    def forward(self, z, times=None):
        if times is None:
            times = torch.tensor([0.0, self.root * self.root]).to(z)  # expect: TL305
        states = self.solver(z, times.to(z))
        if len(times) == 2:
            states = tuple(state[1] for state in states)
        last, change = states[:2]
        return last, change


class Rotation(nn.Module):
    def __init__(self):
        super().__init__()
        self.angle = nn.Parameter(torch.ones(()))

    def forward(self, x):
        cosine, sine = torch.cos(self.angle), torch.sin(self.angle)
        turned = torch.tensor([[cosine, -sine], [sine, cosine]])  # expect: TL305
        return x @ turned.to(x)


class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        self.angle = nn.Parameter(torch.ones(()))

    def forward(self, x):
        cosine, sine = torch.cos(self.angle), torch.sin(self.angle)
        turned = torch.stack([torch.stack([cosine, -sine]), torch.stack([sine, cosine])])  # ok: TL305
        return x @ turned


class Predicted(nn.Module):
    def __init__(self):
        super().__init__()
        self.places = nn.Linear(2, 1)
        self.mix = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        angle = self.places(x).mean()
        turned = torch.Tensor([[torch.cos(angle), 0.0], [0.0, 1.0]]).to(x)  # expect: TL305  # note: TL202
        return self._shifted(x @ turned)

    def _shifted(self, x):
        return x + torch.FloatTensor([self.mix[0], 1 - self.mix[1]]).to(x)  # expect: TL305  # note: TL202


class NotLearned(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Parameter(torch.zeros(2))
        self.register_buffer("scale", torch.ones(()))

    def forward(self, x):
        sizes = torch.tensor([self.mix.shape[0], 2]).to(x)  # ok: TL305  sizes
        scales = torch.tensor([self.scale, 1.0]).to(x)  # ok: TL305  a buffer
        fixed = torch.tensor([self.mix[0].item(), 1.0]).to(x)  # ok: TL305  the program says that it is a number
        print(torch.tensor([self.mix[0], self.mix[1]]))  # ok: TL305  nothing is computed from it
        order = torch.tensor([self.mix[0], self.mix[1]]).argsort()  # ok: TL305  positions have no gradient
        return x * scales * sizes + fixed + x[:, order]

    @torch.no_grad()
    def rounded(self, x):
        return x * torch.tensor([self.mix[0], 1.0])  # ok: TL305  gradients are off

    def weights(self):
        return torch.tensor([self.mix[0], self.mix[1]])  # ok: TL305  no part of the forward pass


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Parameter(torch.zeros(2), requires_grad=False)
        self.mix.requires_grad_(False)

    def forward(self, x):
        return x + torch.tensor([self.mix[0], 1.0]).to(x)  # ok: TL305  nothing to train


def demonstrate():
    x = torch.ones(1, 2)

    def learns(module, parameter, *inputs):
        out = module(*inputs)
        out = out[0] if isinstance(out, tuple) else out
        if out.requires_grad:
            out.sum().backward()
        return parameter.grad is not None

    def solver(z, times):
        return torch.stack([z, z * times[1]]), torch.stack([z, z])

    module = EndTime(solver, is_learned=True)
    assert not learns(module, module.root, x)
    module = Rotation()
    assert not learns(module, module.angle, x)
    module = Stacked()
    assert learns(module, module.angle, x)
    module = Predicted()
    assert not learns(module, module.places.weight, x) and not learns(module, module.mix, x)
    assert NotLearned()(x).shape == x.shape and NotLearned().rounded(x).shape == x.shape
    assert NotLearned().weights().shape == (2,) and not Frozen()(x).requires_grad
