"""A trainer-style GAN draws its preview noise and its label wheel in the constructor and samples with them at every epoch end.

source: Lightning-AI/pytorch-lightning examples (validation noise kept on self) and Lightning-AI/pytorch-lightning#3674
rules: [TL101]
"""
import torch
from torch import nn


class Task(nn.Module):
    """Stand-in for a framework's module."""

    def __init__(self):
        super().__init__()
        self.shown: list[torch.Size] = []

    def on_train_epoch_end(self) -> None:
        pass


def generator(latent: int, classes: int, out: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(latent + classes, 8), nn.LeakyReLU(0.2), nn.Linear(8, out))


class ConditionalGan(Task):
    def __init__(self, latent: int = 4, classes: int = 3, out: int = 6, per_class: int = 2):
        super().__init__()
        self.latent, self.classes = latent, classes
        self.g = generator(latent, classes, out)
        self.d = nn.Linear(out + classes, 1)
        self._prepare_preview(per_class)

    def _prepare_preview(self, per_class: int) -> None:
        rows = per_class * self.classes
        wheel = torch.arange(self.classes).repeat_interleave(per_class)
        self.preview_z = torch.randn(rows, self.latent)  # expect: TL101
        self.preview_y = nn.functional.one_hot(wheel, self.classes).float()  # expect: TL101

    def forward(self, z, y):
        return self.g(torch.cat([z, y], 1))

    def training_step(self, batch):
        real, y = batch
        z = torch.randn(real.shape[0], self.latent, device=real.device, dtype=real.dtype)
        fake = self(z, y)
        return self.d(torch.cat([fake, y], 1)).mean() - self.d(torch.cat([real, y], 1)).mean()

    @torch.no_grad()
    def on_train_epoch_end(self):
        self.shown.append(self(self.preview_z, self.preview_y).shape)


class RegisteredGan(ConditionalGan):
    def _prepare_preview(self, per_class):
        wheel = torch.arange(self.classes).repeat_interleave(per_class)
        table = dict(preview_z=torch.randn(len(wheel), self.latent), preview_y=torch.eye(self.classes)[wheel])
        for key in table:
            self.register_buffer(key, table[key], persistent=False)  # ok: TL101


class SeededGan(ConditionalGan):
    """Keeps a seed; the noise is drawn again for each preview."""

    def _prepare_preview(self, per_class):
        probe = torch.randn(per_class * self.classes, self.latent)
        self.preview_shape = tuple(probe.shape)  # ok: TL101
        self.seed = int(probe.sum().abs() * 1000)  # ok: TL101

    @torch.no_grad()
    def on_train_epoch_end(self):
        w = self.g[0].weight
        gen = torch.Generator().manual_seed(self.seed)
        z = torch.randn(self.preview_shape, generator=gen).to(w)
        y = torch.eye(self.classes, device=w.device, dtype=w.dtype).repeat(z.shape[0] // self.classes, 1)
        self.shown.append(self(z, y).shape)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    batch = torch.randn(3, 6), torch.eye(3)
    for cls, follows in ((ConditionalGan, False), (RegisteredGan, True), (SeededGan, True)):
        m = cls()
        m.training_step(batch).backward()
        m.on_train_epoch_end()
        m.double()
        m.training_step([t.double() for t in batch])
        try:
            m.on_train_epoch_end()
            ok = True
        except RuntimeError as exc:
            assert "dtype" in str(exc), exc
            ok = False
        assert ok is follows, cls
        assert m.shown[0] == (6, 6)
