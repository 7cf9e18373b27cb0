"""Every conversion hands back the argument itself where it already fits; a write to the result reaches the caller."""

import torch


def by_float(x):
    x = x.float()
    x -= x.mean()  # expect: TL308
    return x


def by_to(x, device):
    moved = x.to(device)
    return moved.clamp_(0, 1)  # expect: TL308


def by_dtype(x):
    return x.to(dtype=torch.float32).mul_(2)  # expect: TL308


def by_half(x):
    y = x.half()
    y[y > 1] = 1  # expect: TL308
    return y


def by_contiguous(x):
    y = x.contiguous()
    y.view(-1)[0] = 0  # expect: TL308
    return y


def by_type_as(x, other):
    y = x.type_as(other)
    y[..., 0].zero_()  # expect: TL308
    return y


def by_as_tensor(values):
    values = torch.as_tensor(values, dtype=torch.float32)
    values /= values.sum()  # expect: TL308
    return values


def by_out(x):
    y = x.float()
    torch.exp(y, out=y)  # expect: TL308
    return y


def by_function(x):
    return torch.nn.functional.relu(x.float(), inplace=True)  # expect: TL308


def by_detach(x):
    return x.detach().cpu().add_(1)  # expect: TL308


def through_views(x):
    flat = x.float().view(-1)
    flat[0] = 0  # expect: TL308
    return flat


def new_value(x):
    x = x.float()
    x = x - x.mean()
    x *= 2  # ok: TL308
    return x


def by_clone(x):
    return x.float().clone().mul_(2)  # ok: TL308


def by_copy(x):
    return x.to(torch.float32, copy=True).mul_(2)  # ok: TL308


def made_here(size):
    return torch.zeros(size).float().add_(1)  # ok: TL308


def of_operation(x):
    return x.softmax(-1).float().mul_(2)  # ok: TL308


def of_mask(x):
    chosen = x.float()[x > 0]
    chosen *= 2  # ok: TL308  a mask copies
    return chosen


def of_comparison(x):
    return (x > 0).float().mul_(2)  # ok: TL308


def of_integers(labels: torch.LongTensor):
    return labels.float().div_(2)  # ok: TL308  another dtype: it copies


def in_other_order(x):
    y = x.permute(1, 0).contiguous()
    y[0] = 0  # ok: TL308  out of order, so it copies
    return y


def openly(x):
    x.mul_(2)  # ok: TL308  no conversion hides what is written


def pixels(image):
    image = image.float()
    image /= 255.0  # ok: TL308  bytes to fractions: bytes are copied
    return image


def normalize_(x):
    return x.float().div_(2)  # ok: TL308  the name says so


def branch_copies(x):
    y = x.clone() if x.dtype == torch.float32 else x.float()
    y -= 1  # ok: TL308
    return y


def branch_converts(x):
    if x.dtype != torch.float32:
        x = x.float()
    x -= 1  # expect: TL308
    return x


def demonstrate():
    def is_kept(call, x):
        before = x.clone()
        call(x)
        return torch.equal(before, x)

    x = torch.rand(3, 3) + 2
    writing = (by_float, by_dtype, by_contiguous, by_as_tensor, by_out, by_detach, through_views, branch_converts)
    for call in (*writing, lambda t: by_to(t, "cpu"), lambda t: by_type_as(t, t), lambda t: by_function(t.sub_(4))):
        kept = is_kept(call, x.clone())
        assert kept is (call not in writing and kept), call
    assert not is_kept(by_half, x.half())
    for call in (new_value, by_clone, by_copy, of_operation, of_mask, of_comparison, in_other_order, branch_copies):
        assert is_kept(call, x), call
    assert is_kept(of_integers, torch.ones(3, dtype=torch.int64))
    assert is_kept(pixels, torch.ones(3, dtype=torch.uint8))
    made_here(3), openly(x), normalize_(x)
