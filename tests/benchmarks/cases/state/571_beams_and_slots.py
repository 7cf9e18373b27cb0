"""A captioner remembers its device for the start tokens of its search, and its memory of slots is rewritten after it was read.

source: pytorch/rl#4224 (device remembered), tamakoji/pytorch-syncbn#4 kind (version error in backward); rebuilt from scratch
rules: [TL119, TL121]
"""
import torch
from torch import nn


class Captioner(nn.Module):
    def __init__(self, words: int = 5, dim: int = 3):
        super().__init__()
        self.embed, self.out = nn.Embedding(words, dim), nn.Linear(dim, words)
        self.note_place()

    def note_place(self) -> None:
        pass

    def start(self, image):
        return torch.zeros(len(image), dtype=torch.long, device=image.device)

    def forward(self, image, steps: int = 2):
        ids, h = self.start(image), image
        for _ in range(steps):
            h = torch.tanh(h + self.embed(ids))
            ids = self.out(h).argmax(-1)
        return self.out(h)


class PlacedCaptioner(Captioner):
    def note_place(self):
        self.device = next(self.parameters()).device  # expect: TL119

    def start(self, image):
        return torch.zeros(len(image), dtype=torch.long, device=self.device)


class AskingCaptioner(Captioner):
    @property
    def device(self):
        return self.out.weight.device

    def start(self, image):
        return torch.zeros(len(image), dtype=torch.long, device=self.device)  # ok: TL119


class PrintedCaptioner(Captioner):
    """The place of birth is only printed."""

    def note_place(self):
        self.born_on = str(next(self.parameters()).device)  # ok: TL119

    def extra_repr(self):
        return f"born_on={self.born_on}"


def serve(net: PlacedCaptioner, device):
    return net.to(device).eval()


class Slots(nn.Module):
    def __init__(self, slots: int = 4, dim: int = 3):
        super().__init__()
        self.key = nn.Linear(dim, dim)
        self.register_buffer("memory", torch.randn(slots, dim))

    def store(self, x, w):
        raise NotImplementedError

    def forward(self, x):
        w = (self.key(x) @ self.memory.t()).softmax(-1)
        read = w @ self.memory
        if self.training:
            self.store(x.detach(), w.detach())
        return read + x


class OverwritingSlots(Slots):
    def store(self, x, w):
        self.memory[w.mean(0).argmin()] = x.mean(0)  # expect: TL121


class BlendingSlots(Slots):
    @torch.no_grad()
    def store(self, x, w):
        self.memory.mul_(0.9).addmm_(w.t(), x, alpha=0.1)  # expect: TL121


class RebindingSlots(Slots):
    def store(self, x, w):
        self.memory = self.memory.lerp(w.t() @ x / len(x), 0.1)  # ok: TL121


class CopyReadingSlots(Slots):
    """What autograd saves is a copy; the buffer itself may be rewritten."""

    def forward(self, x):
        memory = self.memory.clone()
        w = (self.key(x) @ memory.t()).softmax(-1)
        read = w @ memory
        if self.training:
            self.memory[w.mean(0).argmin()] = x.detach().mean(0)  # ok: TL121
        return read + x


# ---- demonstration: not part of the graded code ----
def demonstrate():
    image = torch.randn(2, 3)
    for cls, follows in ((PlacedCaptioner, False), (AskingCaptioner, True), (PrintedCaptioner, True), (Captioner, True)):
        net = serve(cls(), "meta")
        assert net.start(image.to("meta")).is_meta is follows, cls
    for cls, works in ((OverwritingSlots, False), (BlendingSlots, False), (RebindingSlots, True), (CopyReadingSlots, True)):
        try:
            cls()(image).sum().backward()
            ok = True
        except RuntimeError as exc:
            assert "modified by an inplace operation" in str(exc), exc
            ok = False
        assert ok is works, cls
