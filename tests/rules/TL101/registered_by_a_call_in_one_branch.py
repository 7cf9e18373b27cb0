"""One branch registers the table by register_buffer(), the other assigns it: there it stays a plain tensor."""
import torch
from torch import nn


def draw(host: nn.Module, rows: int) -> None:
    host.table = torch.randn(rows, rows)  # expect: TL101


def register(host: nn.Module, rows: int) -> None:
    host.register_buffer("table", torch.eye(rows))  # ok: TL101


class Chosen(nn.Module):
    def __init__(self, is_random: bool, rows: int = 3):
        super().__init__()
        if is_random:
            draw(self, rows)
        else:
            register(self, rows)

    def forward(self, x):
        return x @ self.table


class RegisteredAfterwards(nn.Module):
    def __init__(self, is_random: bool, rows: int = 3):
        super().__init__()
        table = torch.randn(rows, rows) if is_random else torch.eye(rows)
        self.register_buffer("table", table)
        if is_random:
            self.table = 2 * torch.randn(rows, rows)  # ok: TL101

    def forward(self, x):
        return x @ self.table


class Empty(nn.Module):
    def __init__(self, is_used: bool, rows: int = 3):
        super().__init__()
        if is_used:
            self.register_buffer("table", torch.eye(rows))
        else:
            self.table = None  # ok: TL101

    def forward(self, x):
        return x if self.table is None else x @ self.table


def keep(host: nn.Module, x: torch.Tensor, is_traced: bool) -> None:
    """A Parameter or a buffer; while a graph is traced neither can be made, and nothing is converted then."""
    if isinstance(x, nn.Parameter) or not is_traced:
        if x.grad_fn is None:
            x = x if isinstance(x, nn.Parameter) else nn.Parameter(x)
        else:
            host.register_buffer("shift", x)
            return
    setattr(host, "shift", x)  # ok: TL101


class Kept(nn.Module):
    def __init__(self, x: torch.Tensor, is_traced: bool = False):
        super().__init__()
        keep(self, x, is_traced)

    def forward(self, x):
        return x + self.shift


def demonstrate():
    assert "shift" in Kept(torch.ones(2)).state_dict()
    assert "table" not in Chosen(is_random=True).state_dict()
    assert "table" in Chosen(is_random=False).state_dict()
    assert "table" in RegisteredAfterwards(is_random=True).state_dict()
    assert Empty(is_used=False)(torch.ones(1, 3)).shape == (1, 3)
