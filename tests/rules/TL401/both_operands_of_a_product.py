"""Both operands are cast: one finding for each line that a cast is written on."""
import torch


def angles(frequencies, positions):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        frequencies = frequencies[:, None].float()  # expect: TL401
        return frequencies @ positions[None].float()  # ok: TL401  they may be integers


def compared(net, a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        first, second = net(a).relu(), net(b).relu()
        first = first.float()  # expect: TL401
        return first @ second.t().float()  # expect: TL401


def on_one_line(frequencies, positions):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return frequencies[:, None].float() @ positions[None].float()  # expect: TL401


def two_products(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        first = a.float() @ b  # expect: TL401
        second = b.float() @ a  # expect: TL401
        return first.float() + second.float()  # ok: TL401


def through_views(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        wide = a.float()  # expect: TL401
        return wide.view(3, 3).transpose(0, 1)[:2] @ b


def through_arithmetic(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        wide = a.float()  # ok: TL401  the sum is honoured, whatever happens to its result
        return (wide + 1.0) @ b


def demonstrate():
    a = torch.rand(3, 3)
    assert angles(torch.rand(3), torch.arange(3)).dtype == torch.bfloat16
    assert two_products(a, a).dtype == torch.float32
    assert through_views(a, a).dtype == torch.bfloat16
