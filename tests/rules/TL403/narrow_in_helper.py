"""A helper narrows by hand: it loses range in a region, unless the value leaves for storage or joins its own kind."""
import torch


def clipped(x):
    return torch.logsumexp(x, -1).to(torch.float16)  # expect: TL403


def doubled(x, layer: torch.nn.Linear):
    return layer(x.double())  # expect: TL403


def in_double(a, b):
    return a.double() @ b.double()  # ok: TL403  float64 all through


def stored(x, kept):
    kept.append(x.half().cpu())  # ok: TL403  narrowed for storage


def accumulated(x):
    total = torch.zeros(4, dtype=torch.float16, device=x.device)
    total += x.sum(0).half()  # ok: TL403  it joins a buffer of its own dtype
    return total


def as_autocast_would(x, layer: torch.nn.Linear):
    return layer(x.bfloat16())  # ok: TL403  autocast would do the same here


def run(x):
    layer, kept = torch.nn.Linear(4, 4), []
    with torch.autocast("cpu", dtype=torch.bfloat16):
        stored(x, kept)
        return clipped(x), accumulated(x), as_autocast_would(x, layer), in_double(x, x.t()), doubled(x, layer)


def demonstrate():
    try:
        run(torch.rand(3, 4))
        raise AssertionError("float64 met bfloat16")
    except RuntimeError:
        pass
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert clipped(torch.full((1, 2), 1e6)).isinf().all()
        assert in_double(torch.rand(3, 4), torch.rand(4, 3)).dtype == torch.float64
