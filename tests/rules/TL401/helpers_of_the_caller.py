"""What a function does when it is called from a region is another rule's business; here only its own regions count."""
import torch


def scores(a, b):
    return a.float() @ b.float().t()  # ok: TL401  the region is the caller's # expect: TL403


def scores_in_region(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return scores(a, b) + (a.float() @ b.t())  # expect: TL401


def nested(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):

        def later(x):
            return x.float() @ b  # ok: TL401  it runs when it is called

        made = a @ b.t()
    return later(made)


def demonstrate():
    a = torch.rand(3, 3)
    assert scores(a, a).dtype == torch.float32
    assert scores_in_region(a, a).dtype == torch.bfloat16
    assert nested(a, a).dtype == torch.float32
