"""A half tensor beside one of several numbers that torch made in float32 gives float32; beside a single one it stays."""
import torch
from torch.nn import functional as F


def errors(scores, variances):
    inverse = 1.0 / torch.tensor([float(one) for one in variances] + [1]).to(scores.device)
    ratios = scores.abs() * inverse[:2, None]
    return F.pad(ratios, (0, 0, 0, 1), value=1e9)  # ok: TL302


def slopes(scores, empty):
    lines = torch.linspace(0, 1, scores.shape[-1])
    return (scores + lines[None]).masked_fill(empty, -1e9)  # ok: TL302


def scaled(scores, empty):
    return (scores * torch.tensor(2.0)).masked_fill(empty, -1e9)  # expect: TL302


def ranked(scores, empty):
    return (scores + torch.arange(scores.shape[-1])).masked_fill(empty, -1e9)  # expect: TL302


def of_its_type(scores, empty):
    lines = torch.linspace(0, 1, scores.shape[-1], dtype=scores.dtype)
    return (scores + lines).masked_fill(empty, -1e9)  # expect: TL302


def plain(scores, empty):
    # The greater of the two is float32, whichever is moved where.
    lines = torch.rand(scores.shape[-1]).to(scores.device)
    scores = (lines / 3 + scores).masked_fill(empty, -1e9)  # ok: TL302
    return scores.softmax(-1).to(lines.dtype)


class Beams:
    def search(self, scores, ended, rounds: int):
        best = torch.full(scores.shape, 0.0, dtype=torch.float, device=scores.device)
        for _ in range(rounds):
            best, scores = self._step(best, scores)
            ended = self._worst(best, ended) > self._worst_of_any(scores, ended)
        return best

    def _step(self, best, scores):
        return torch.maximum(best, scores), scores / 2

    def _worst(self, best, ended):
        return torch.where(ended, torch.min(best, dim=1, keepdim=True)[0], -1e9)  # ok: TL302

    def _worst_of_any(self, best, ended):
        return torch.where(ended, torch.min(best, dim=1, keepdim=True)[0], -1e9)  # expect: TL302


def demonstrate():
    scores, empty = torch.ones(2, 3, dtype=torch.float16), torch.ones(2, 3, dtype=torch.bool)
    assert errors(scores, [1.0, 2.0]).dtype == slopes(scores, empty).dtype == plain(scores, empty).dtype == torch.float32
    assert slopes(scores, ~empty).isfinite().all()
    for function in (scaled, ranked, of_its_type):
        try:
            function(scores, empty)
        except RuntimeError as error:
            assert "overflow" in str(error)
        else:
            raise AssertionError("float16 took -1e9")
    beams = Beams()
    assert beams.search(scores, empty, 2).dtype == torch.float32
    assert beams._worst(scores.float(), ~empty).isfinite().all()
    assert beams._worst_of_any(scores, ~empty).isinf().all()
