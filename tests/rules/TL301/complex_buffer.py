"""A real dtype drops the imaginary part of a complex buffer; half() and a move do not touch it."""
import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        angle = torch.linspace(0, 1, dim)
        self.register_buffer("turn", torch.polar(torch.ones(dim), angle), persistent=False)

    def forward(self, x):
        return (x * self.turn).real


class RealRotary(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        angle = torch.linspace(0, 1, dim)
        self.register_buffer("turn", torch.view_as_real(torch.polar(torch.ones(dim), angle)), persistent=False)

    def forward(self, x):
        return (x * torch.view_as_complex(self.turn.float())).real


class GuardedRotary(Rotary):
    def _apply(self, fn, recurse=True):
        turn = self._buffers.pop("turn")
        super()._apply(fn, recurse)
        self.register_buffer("turn", turn.to(fn(turn.real).device), persistent=False)
        return self


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rotary = Rotary()
        self.head = nn.Linear(4, 4)


def half_decoder():
    model = Decoder()
    return model.to(torch.float16).rotary  # expect: TL301


def brain_decoder(device: str):
    model = Decoder().eval()
    model = model.to(device=device, dtype=torch.bfloat16)  # expect: TL301
    return model.rotary


def typed_rotary():
    rotary = Rotary()
    return rotary.type(torch.float16)  # expect: TL301


def moved_decoder(device: str):
    model = Decoder().to(device)  # ok: TL301
    return model.half().rotary  # ok: TL301


def half_head():
    model = Decoder()
    model.head.to(torch.float16)  # ok: TL301
    return model.rotary


def half_real():
    rotary = RealRotary()
    return rotary.to(torch.float16)  # ok: TL301


def half_guarded():
    rotary = GuardedRotary()
    return rotary.to(torch.float16)  # ok: TL301


def demonstrate():
    for function, kept in (
        (half_decoder, False), (lambda: brain_decoder("cpu"), False), (typed_rotary, False),
        (lambda: moved_decoder("cpu"), True), (half_head, True), (half_guarded, True),
    ):
        assert function().turn.is_complex() is kept
    assert torch.allclose(half_real()(torch.ones(4)), Rotary()(torch.ones(4)), atol=1e-2)
