"""An ensemble of classifiers is switched to eval mode member by member and then asked about every batch, gradients on.

source: FCGF- and GAN-style test scripts (chrischoy/FCGF#15, leftthomas/SRGAN#43), ensembles kept in a dict
rules: [TL304]
"""
from collections import defaultdict

import torch
from torch import nn

held: list[torch.Tensor] = []


class Committee:
    def __init__(self, members: dict[str, nn.Module]):
        self.members = members

    def quiet(self) -> None:
        for net in self.members.values():
            net.train(False)

    def votes(self, x):
        return torch.stack([net(x).softmax(-1) for net in self.members.values()])


def disagreement(committee: Committee, loader) -> float:
    for net in committee.members.values():
        net.eval()  # expect: TL304
    spread = []
    for batch in loader:
        votes = committee.votes(batch["x"])
        spread.append(votes.std(0).mean())
    held[:] = spread
    return float(sum(spread) / len(spread))


def confusion(net: nn.Module, loader, device: str = "cpu"):
    net = net.to(device).eval()  # expect: TL304
    table = defaultdict(list)
    for batch in loader:
        out = net(batch["x"].to(device))
        with torch.no_grad():
            for truth, row in zip(batch["y"].tolist(), out):
                table[truth].append(row)
    held[:] = [rows[0] for rows in table.values()]
    return {k: torch.stack(v).mean(0) for k, v in table.items()}


@torch.no_grad
def bare_decorator(committee: Committee, loader) -> float:
    """No parentheses: torch accepts the class itself as a decorator."""
    for net in committee.members.values():
        net.eval()  # ok: TL304
    spread = [committee.votes(b["x"]).std(0).mean() for b in loader]
    held[:] = spread
    return float(sum(spread) / len(spread))


class Session:
    grad = staticmethod(torch.set_grad_enabled)

    def __init__(self, committee: Committee):
        self.committee = committee

    def __enter__(self):
        self.before = torch.is_grad_enabled()
        self.grad(False)
        return self

    def __exit__(self, *exc):
        self.grad(self.before)


def in_session(committee: Committee, loader):
    with Session(committee):
        for net in committee.members.values():
            net.eval()  # ok: TL304
        held[:] = [committee.votes(b["x"]).mean() for b in loader]
    return len(held)


def distil(committee: Committee, student: nn.Module, loader, lr: float = 0.1) -> None:
    """Members in eval mode, and a student that learns from them in the same loop."""
    for net in committee.members.values():
        net.eval()  # ok: TL304
    opt = torch.optim.SGD(student.parameters(), lr=lr)
    for b in loader:
        with torch.no_grad():
            target = committee.votes(b["x"]).mean(0)
        loss = -(target * student(b["x"]).log_softmax(-1)).sum(-1).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    loader = [{"x": torch.randn(4, 3), "y": torch.randint(0, 2, (4,))} for _ in range(3)]
    team = Committee({str(i): nn.Sequential(nn.Linear(3, 4), nn.Dropout(), nn.Linear(4, 2)) for i in range(2)})
    disagreement(team, loader)
    assert len(held) == 3 and all(t.requires_grad for t in held)
    confusion(team.members["0"], loader)
    assert all(t.requires_grad for t in held)
    for quiet in (bare_decorator, in_session):
        quiet(team, loader)
        assert held and not any(t.requires_grad for t in held), quiet
    assert torch.is_grad_enabled()
    distil(team, nn.Linear(3, 2), loader)
