"""Representation similarity: Gram matrices are centred in place in 'float32 versions' of what the caller collected.

source: ScrollPrize/villa#1446 (normalisers write through when the dtype already fits), BioThinkLab/SCYN#7
rules: [TL308]
"""
import torch


def centre(gram):
    gram = gram.to(torch.float32)
    gram -= gram.mean(0, keepdim=True)  # expect: TL308
    gram -= gram.mean(1, keepdim=True)  # use: TL308
    return gram


def centre_own(gram):
    gram = gram.to(torch.float32)
    gram = gram - gram.mean(0, keepdim=True)
    gram -= gram.mean(1, keepdim=True)  # ok: TL308
    return gram


def similarity(a, b, centre_fn=centre):
    ka, kb = centre_fn(a), centre_fn(b)
    return (ka * kb).sum() / (ka.norm() * kb.norm())


def linear_similarity(x, y):
    """Here the Gram matrix is made on the spot: writing into it is nobody else's business."""
    gram = (x.double() @ x.double().t()).float()
    gram -= gram.mean(0, keepdim=True)  # ok: TL308
    other = (y @ y.t()).contiguous()
    other -= other.mean(0, keepdim=True)  # ok: TL308
    return (gram * other).sum() / (gram.norm() * other.norm())


def whiten(features, eps=1e-5):
    x = torch.as_tensor(features, dtype=torch.float32)
    x.sub_(x.mean(0))  # expect: TL308
    cov = x.t() @ x / (len(x) - 1)
    return x @ torch.linalg.inv(torch.linalg.cholesky(cov + eps * torch.eye(len(cov)))).t()


def whiten_copy(features, eps=1e-5):
    x = torch.tensor(features, dtype=torch.float32) if not torch.is_tensor(features) else features.float().clone()
    x.sub_(x.mean(0))  # ok: TL308
    cov = x.t() @ x / (len(x) - 1)
    return x @ torch.linalg.inv(torch.linalg.cholesky(cov + eps * torch.eye(len(cov)))).t()


def table(grams, centre_fn):
    return torch.stack([torch.stack([similarity(a, b, centre_fn) for b in grams]) for a in grams])


def demonstrate():
    torch.manual_seed(0)
    xs = [torch.randn(6, 3) for _ in range(2)]
    grams = [x @ x.t() for x in xs]
    before = [g.clone() for g in grams]
    good = table(grams, centre_own)
    assert all(torch.equal(a, b) for a, b in zip(grams, before))
    table(grams, centre)
    assert not torch.equal(grams[0], before[0])
    linear_similarity(*xs)
    assert good.shape == (2, 2)
    for fn, clean in ((whiten_copy, True), (whiten, False)):
        x = torch.randn(6, 3) + 1
        kept = x.clone()
        fn(x)
        assert torch.equal(x, kept) is clean
