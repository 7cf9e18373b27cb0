"""A cast to float32 that feeds a matrix product in a region: autocast lowers it again."""
import torch
import torch.nn.functional as F


def by_operator(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        left = a.float()  # expect: TL401
        return left @ b.t()


def by_function(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return torch.matmul(a.to(torch.float32), b.t())  # expect: TL401


def by_method(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return a[None].to(dtype=torch.float32).bmm(b.t()[None])  # expect: TL401


def by_linear(a, weight):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return F.linear(a.float(), weight)  # expect: TL401


def by_einsum(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return torch.einsum("ik,jk->ij", a.float(), b)  # expect: TL401


def in_island(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        with torch.autocast("cpu", enabled=False):
            return a.float() @ b.float().t()  # ok: TL401


def after_region(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        c = a @ b.t()
    return c.float() @ b.float()  # ok: TL401


def of_result(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return (a @ b.t()).float()  # ok: TL401  the result is cast, not what goes in


def by_sum(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return a.float() + b.float()  # ok: TL401


def by_product(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return a.float() * b  # ok: TL401  elementwise: the cast is honoured


def demonstrate():
    a = torch.rand(3, 4)
    for function in (by_operator, by_function, by_method, by_linear, by_einsum):
        assert function(a, a).dtype == torch.bfloat16, function
    for function in (in_island, of_result, by_sum, by_product):
        assert function(a, a).dtype == torch.float32, function
