"""Semi-supervised thresholds adapt while training runs; a resumed run starts from the uniform guess again.

source: self-adaptive thresholding of semi-supervised code (time_p, p_model), thu-ml/tianshou#443 (statistics outside the checkpoint)
rules: [TL122]
"""
import torch
from torch import nn


class Thresholds(nn.Module):
    def __init__(self, classes: int = 3, momentum: float = 0.5):
        super().__init__()
        self.classes, self.momentum = classes, momentum
        self.logit_bias = nn.Parameter(torch.zeros(classes))
        self.setup()

    def setup(self) -> None:
        self.p_class = torch.full((self.classes,), 1.0 / self.classes)  # expect: TL122
        self.overall = torch.full((1,), 1.0 / self.classes)  # expect: TL122

    def follow(self, probs: torch.Tensor) -> None:
        m = self.momentum
        self.p_class = m * self.p_class + (1 - m) * probs.mean(0)
        self.overall = m * self.overall + (1 - m) * probs.amax(-1).mean()

    def forward(self, logits):
        probs = (logits + self.logit_bias).softmax(-1)
        if self.training:
            self.follow(probs.detach())
        limit = self.overall * self.p_class / self.p_class.max()
        best, label = probs.max(-1)
        return best.ge(limit[label]), label


class SavedThresholds(Thresholds):
    def setup(self):
        self.register_buffer("p_class", torch.full((self.classes,), 1.0 / self.classes))  # ok: TL122
        self.register_buffer("overall", torch.full((1,), 1.0 / self.classes))  # ok: TL122


class ExtraStateThresholds(SavedThresholds):
    """Kept out of the keys on purpose and saved as extra state."""

    def setup(self):
        self.register_buffer("p_class", torch.full((self.classes,), 1.0 / self.classes), persistent=False)  # ok: TL122
        self.register_buffer("overall", torch.full((1,), 1.0 / self.classes), persistent=False)  # ok: TL122

    def get_extra_state(self):
        return {"p_class": self.p_class, "overall": self.overall}

    def set_extra_state(self, state):
        self.p_class, self.overall = state["p_class"].clone(), state["overall"].clone()


class Watching(SavedThresholds):
    """used_share is for the log only."""

    def setup(self):
        super().setup()
        self.used_share = 0.0  # ok: TL122

    def forward(self, logits):
        mask, label = super().forward(logits)
        self.used_share = 0.9 * self.used_share + 0.1 * float(mask.float().mean())
        return mask, label


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    probe = torch.randn(200, 3)
    for cls, faithful in ((Thresholds, False), (SavedThresholds, True), (ExtraStateThresholds, True), (Watching, True)):
        run, resumed = cls(), cls()
        for _ in range(5):
            run(torch.randn(32, 3) * 4 + torch.tensor([3.0, 0.0, 0.0]))
        resumed.load_state_dict(run.state_dict())
        assert torch.equal(run.eval()(probe)[0], resumed.eval()(probe)[0]) is faithful, cls
