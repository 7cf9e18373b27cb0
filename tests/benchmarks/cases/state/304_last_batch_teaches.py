"""Self-distillation from the last mini-batch: the previous images and logits are kept in a dict on the module.

source: self-distillation from the previous batch (DLB-like training code), "backward through the graph a second time" reports
rules: [TL102]
"""
import torch
import torch.nn.functional as F
from torch import nn


class SelfTeacher(nn.Module):
    def __init__(self, body: nn.Module, tau: float = 2.0):
        super().__init__()
        self.body = body
        self.tau = tau
        self._last = {}  # ok: TL105

    def _agree(self, student: torch.Tensor, soft: torch.Tensor) -> torch.Tensor:
        return F.kl_div(F.log_softmax(student / self.tau, -1), F.softmax(soft / self.tau, -1), reduction="batchmean")

    def _memorise(self, image, logits) -> None:
        raise NotImplementedError

    def forward(self, image, label):
        logits = self.body(image)
        loss = F.cross_entropy(logits, label)
        if self._last:
            loss = loss + self._agree(self.body(self._last["image"]), self._last["logits"])
        self._memorise(image, logits)
        return loss


class LiveSelfTeacher(SelfTeacher):
    def _memorise(self, image, logits):
        self._last["image"] = image  # use: TL102
        self._last["logits"] = logits  # expect: TL102


class CutSelfTeacher(SelfTeacher):
    def _memorise(self, image, logits):
        self._last["image"] = image.detach()  # ok: TL102
        self._last["logits"] = logits.detach()  # ok: TL102

    def new_epoch(self) -> None:
        self._last.clear()


class NumpySelfTeacher(CutSelfTeacher):
    """The record leaves torch altogether."""

    def _memorise(self, image, logits):
        self._last.update(image=image, logits=torch.tensor(logits.tolist(), device=image.device))  # ok: TL102, TL101


class CountingTeacher(SelfTeacher):
    def _memorise(self, image, logits):
        self.seen = getattr(self, "seen", 0) + len(logits)  # ok: TL102
        self.accuracy_like = logits.softmax(-1).amax(-1).mean().item()  # ok: TL102


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    data = [(torch.randn(4, 3), torch.randint(0, 2, (4,))) for _ in range(3)]
    for cls in (LiveSelfTeacher, CutSelfTeacher, NumpySelfTeacher, CountingTeacher):
        net = cls(nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2)))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        try:
            for image, label in data:
                opt.zero_grad()
                net(image, label).backward()
                opt.step()
            ok = True
        except RuntimeError as exc:
            assert "second time" in str(exc) or "inplace" in str(exc)
            ok = False
        assert ok is (cls is not LiveSelfTeacher), cls
