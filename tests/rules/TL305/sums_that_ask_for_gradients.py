"""A sum of rebuilt losses has no graph; requires_grad_() keeps backward() from saying so."""

import torch


class Balance:
    def __init__(self, shares):
        self.shares = torch.tensor(shares)

    def joined(self, losses):
        column = torch.tensor(list(losses.values()))  # expect: TL305
        return (self.shares * column).sum().requires_grad_()

    def averaged(self, losses):
        return torch.as_tensor([*losses]).mean().requires_grad_(True)  # expect: TL305

    def stacked(self, losses):
        return (self.shares * torch.stack(list(losses.values()))).sum()  # ok: TL305

    def reported(self, losses):
        return torch.tensor(list(losses.values())).mean()  # ok: TL305  nobody asks for a gradient

    def points(self, rows):
        return torch.tensor(list(rows)).requires_grad_()  # ok: TL305  the inputs of a penalty

    def scale(self, start):
        return torch.tensor(start).requires_grad_()  # ok: TL305  a number that is trained

    def frozen(self, losses):
        return torch.tensor(list(losses.values())).mean().requires_grad_(False)  # ok: TL305
