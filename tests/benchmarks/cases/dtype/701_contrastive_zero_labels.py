"""The positive pair is column 0, so the labels are all zero; torch.zeros without a dtype makes floating class targets.

source: MoCo re-implementations, forum questions "expected scalar type Long but found Float" in InfoNCE losses
rules: [TL201]
"""
import torch
import torch.nn.functional as F


def pair_logits(q, k, queue, temperature):
    q, k = F.normalize(q, dim=1), F.normalize(k, dim=1)
    positive = (q * k).sum(dim=1, keepdim=True)
    negative = q @ queue
    return torch.cat([positive, negative], dim=1) / temperature


def info_nce(q, k, queue, temperature=0.2):
    logits = pair_logits(q, k, queue, temperature)
    labels = torch.zeros(logits.shape[0])  # expect: TL201
    return F.cross_entropy(logits, labels)  # use: TL201


def info_nce_nll(q, k, queue, temperature=0.2):
    logp = pair_logits(q, k, queue, temperature).log_softmax(dim=1)
    first = torch.zeros(q.size(0), device=q.device)  # expect: TL201
    return F.nll_loss(logp, first)  # use: TL201


def info_nce_fixed(q, k, queue, temperature=0.2):
    logits = pair_logits(q, k, queue, temperature)
    labels = torch.zeros(logits.shape[0], dtype=torch.long, device=logits.device)  # ok: TL201
    return F.cross_entropy(logits, labels)  # ok: TL201


def in_batch(q, k, temperature=0.2):
    logits = F.normalize(q, dim=1) @ F.normalize(k, dim=1).t() / temperature
    labels = torch.arange(q.size(0), device=q.device)  # ok: TL201
    return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2  # ok: TL201


def smoothed(q, k, queue, temperature=0.2, eps=0.1):
    logits = pair_logits(q, k, queue, temperature)
    target = torch.zeros_like(logits)  # ok: TL201
    target += eps / logits.size(1)
    target[:, 0] += 1 - eps
    return F.cross_entropy(logits, target)  # ok: TL201


def pairwise_bce(q, k, queue, temperature=0.2):
    logits = pair_logits(q, k, queue, temperature)
    target = torch.zeros(logits.shape, device=logits.device)  # ok: TL201
    target[:, 0] = 1.0
    return F.binary_cross_entropy_with_logits(logits, target)  # ok: TL201


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    q, k = torch.randn(4, 8), torch.randn(4, 8)
    queue = F.normalize(torch.randn(8, 16), dim=0)
    for broken in (info_nce, info_nce_nll):
        try:
            broken(q, k, queue)
            raise AssertionError("floating class targets were accepted")
        except RuntimeError as err:
            assert "Long" in str(err) or "Float" in str(err), err
    for good in (info_nce_fixed, smoothed, pairwise_bce):
        assert torch.isfinite(good(q, k, queue))
    assert torch.isfinite(in_batch(q, k))
    direct = -pair_logits(q, k, queue, 0.2).log_softmax(1)[:, 0].mean()
    assert torch.allclose(info_nce_fixed(q, k, queue), direct)
