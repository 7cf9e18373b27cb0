"""What forward makes on the CPU and fills item by item is on the CPU, wherever the network is."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Steps(nn.Module):
    def __init__(self, steps: int = 4):
        super().__init__()
        self.steps = steps
        self.cell = nn.Linear(3, 3)

    def forward(self, x):
        rows = torch.zeros(self.steps, x.shape[0], 3)
        for step in range(self.steps):
            rows[step] = self.cell(x)
        return rows


class StepsThere(Steps):
    def forward(self, x):
        rows = torch.zeros(self.steps, x.shape[0], 3, device=x.device)
        for step in range(self.steps):
            rows[step] = self.cell(x)
        return rows


class Later(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = Steps()

    def forward(self, x):
        rows = self.decoder(x)
        return rows[1:, :, :]


def evaluated(batches):
    model, later, there = Steps().to(device), Later().to(device), StepsThere().to(device)
    found = []
    for x in batches:
        x = x.to(device)
        with torch.no_grad():
            found.append(model(x).numpy())  # ok: TL306
            found.append(later(x).numpy())  # ok: TL306  also through another module
            found.append(there(x).numpy())  # expect: TL306
    return found


class Ranked(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(8, 4)

    def forward(self, users, targets, *, test=False):
        scores = self.table(users) @ self.table.weight.T
        if test:
            return scores.argsort(descending=True)
        return nn.functional.cross_entropy(scores, targets)


def ranking(users):
    model = Ranked().to(device)
    order = model(users.to(device), None, test=True)
    loss = model(users.to(device), users.to(device))
    return order.cpu().numpy(), loss.cpu().numpy()  # expect: TL306  the order are integers, the loss is recorded


def order_of(users):
    model = Ranked().to(device)
    order = model(users.to(device), None, test=True)
    return order.cpu().numpy()  # ok: TL306


def demonstrate():
    assert len(evaluated([torch.randn(2, 3)])) == 3 or torch.cuda.is_available()
    users = torch.tensor([1, 2])
    order_of(users)
    try:
        ranking(users)
        raise AssertionError("numpy took a tensor that requires grad")
    except RuntimeError as error:
        assert "requires grad" in str(error)
