"""KL to a reference policy and test-time adaptation: weights are written between two forwards of one autocast region.

source: X-GenGroup/Flow-Factory#186 (zero KL), pytorch/pytorch#63552
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def kl_to_reference(policy, reference, x):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        new = policy(x).float().log_softmax(-1)
        kept = [p.detach().clone() for p in policy.parameters()]
        with torch.no_grad():
            for p, ref in zip(policy.parameters(), reference):
                p.copy_(ref)  # expect: TL408
        old = policy(x).float().log_softmax(-1)
    with torch.no_grad():
        for p, value in zip(policy.parameters(), kept):
            p.copy_(value)
    return F.kl_div(new, old.detach(), log_target=True, reduction="batchmean")


@torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16)
def adapt(model, opt, x, steps=10):
    for _ in range(steps):
        logp = model(x).log_softmax(-1)
        entropy = -(logp.exp() * logp).sum(-1).mean()
        opt.zero_grad()
        entropy.backward()
        opt.step()  # expect: TL408
    return model(x)


def kl_to_reference_fixed(policy, reference, x):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        new = policy(x).float().log_softmax(-1)
    kept = [p.detach().clone() for p in policy.parameters()]
    with torch.no_grad():
        for p, ref in zip(policy.parameters(), reference):
            p.copy_(ref)  # ok: TL408
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            old = policy(x).float().log_softmax(-1)
        for p, value in zip(policy.parameters(), kept):
            p.copy_(value)
    return F.kl_div(new, old, log_target=True, reduction="batchmean")


def adapt_fixed(model, opt, x, steps=10):
    for _ in range(steps):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            logp = model(x).log_softmax(-1)
            entropy = -(logp.exp() * logp).sum(-1).mean()
        opt.zero_grad()
        entropy.backward()
        opt.step()  # ok: TL408
    with torch.no_grad(), torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        return model(x)


def adapt_uncached(model, opt, x, steps=10):
    for _ in range(steps):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16, cache_enabled=False):
            first = model(x).float().log_softmax(-1)
            loss = -(first.exp() * first).sum(-1).mean()
        loss.backward()
        opt.step()  # ok: TL408
        opt.zero_grad()
    return model(x)


def key_queries(query, key, a, b, m=0.5):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        with torch.no_grad():
            for pk, pq in zip(key.parameters(), query.parameters()):
                pk.lerp_(pq, 1 - m)  # ok: TL408
        return query(a), key(b)


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(8, 4, device=DEVICE_TYPE)

    def policy(seed=0):
        torch.manual_seed(seed)
        return nn.Linear(4, 3).to(DEVICE_TYPE)

    reference = [p.detach() for p in policy(1).parameters()]
    assert kl_to_reference(policy(), reference, x).abs() < 1e-6, "the second forward used the old cast"
    assert kl_to_reference_fixed(policy(), reference, x) > 0.05

    def entropies(fn):
        model = policy()
        before = model(x).detach()
        after = fn(model, torch.optim.SGD(model.parameters(), lr=1.0), x).detach().float()
        return [torch.distributions.Categorical(logits=v).entropy().mean().item() for v in (before, after)]

    start, frozen = entropies(adapt)
    assert abs(start - frozen) < 0.01, (start, frozen)  # the returned logits never saw the ten steps
    for fn in (adapt_fixed, adapt_uncached):
        start, end = entropies(fn)
        assert end < 0.5 * start, (start, end)
    q, k = policy(0), policy(1)
    mean = torch.lerp(k.weight, q.weight, 0.5).detach()
    _, keys = key_queries(q, k, x, x)
    assert torch.allclose(k.weight, mean)
    assert torch.equal(keys, F.linear(x.bfloat16(), k.weight.bfloat16(), k.bias.bfloat16()))
