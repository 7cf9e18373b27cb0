"""A helper casts by hand; what counts is where it is called: in a region, after it, in an island, or not at all."""
import torch


def scores(a, b):
    return a.float() @ b.float().t()  # expect: TL403


def scores_after(a, b):
    return a.float() @ b.float().t()  # ok: TL403  called after the block


def scores_in_island(a, b):
    return a.float() @ b.float().t()  # ok: TL403  called in an island


def scores_unused(a, b):
    return a.float() @ b.float().t()  # ok: TL403  nobody calls it


def scores_with_island(a, b):
    with torch.autocast("cpu", enabled=False):
        return a.float() @ b.float().t()  # ok: TL403  its own island


@torch.autocast("cpu", enabled=False)
def scores_as_island(a, b):
    return a.float() @ b.float().t()  # ok: TL403  a decorator makes it an island


def scores_asking(a, b):
    if torch.is_autocast_enabled("cpu"):
        a = a.float()  # ok: TL403  it asks
    return a @ b.t()


def prepared(a):
    return a.float() / 255.0  # ok: TL403  called before the block, and honoured


def deeper(a, b):
    return torch.einsum("ik,jk->ij", a.float(), b)  # expect: TL403


def between(a, b):
    return deeper(a, b) + 1


@torch.no_grad()
def energy(a):
    return a.half().pow(2).sum(-1)  # expect: TL403


def run(a, b):
    a = prepared(a)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        low = scores(a, b), between(a, b), energy(a)
        full = scores_with_island(a, b), scores_as_island(a, b), scores_asking(a, b)
        with torch.autocast("cpu", enabled=False):
            island = scores_in_island(a, b)
    return low, full, island, scores_after(a, b)


def demonstrate():
    a = torch.rand(3, 4) * 300 * 255
    low, full, island, after = run(a, a)
    assert low[0].dtype == low[1].dtype == torch.bfloat16
    assert low[2].isinf().any()
    assert full[0].dtype == full[1].dtype == island.dtype == after.dtype == torch.float32
