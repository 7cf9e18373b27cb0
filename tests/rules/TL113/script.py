"""At the top level of a script that trains there, tensors are the data of the run."""

import torch
from torch import nn

inputs = torch.randn(8, 3)  # ok: TL113
targets = torch.randn(8)  # ok: TL113


class Fit(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 1)

    def forward(self, x):
        return self.layer(x - inputs.mean(0)).squeeze(-1)

    def loss(self):
        return (self(inputs) - targets).square().mean()


model = Fit()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    model.loss().backward()
    optimizer.step()
