"""A spreading regulariser searches nearest neighbours 'in float32'; the training step calls the helper inside its bf16 region.

source: self-supervised code that wraps this search in autocast(enabled=False), and ports of it that only kept .float()
rules: [TL403]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def nearest(x):
    dots = torch.mm(x.float(), x.float().t())  # expect: TL403
    dots.fill_diagonal_(-1)
    return dots.argmax(1)


def nearest_exact(x):
    with torch.autocast(x.device.type, enabled=False):
        x = x.float()
        dots = torch.mm(x, x.t())  # ok: TL403
        dots.fill_diagonal_(-1)
        return dots.argmax(1)


def nearest_by_distance(x):
    x = x.float()  # ok: TL403
    dist = (x[:, None] - x[None]).pow(2).sum(-1)
    dist.fill_diagonal_(float("inf"))
    return dist.argmin(1)


def nearest_offline(x):
    """Only the report calls this, and it runs without autocast."""
    x = x.float()
    dots = torch.mm(x, x.t())  # ok: TL403
    dots.fill_diagonal_(-1)
    return dots.argmax(1)


def step(net, x, with_search=nearest):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        z = net(x)
        partners = with_search(F.normalize(z.float(), dim=-1))
        loss = F.mse_loss(z, z[partners].detach())
    loss.backward()
    return partners


def step_exact(net, x):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        z = F.normalize(net(x).float(), dim=-1)
        a, b = nearest_exact(z), nearest_by_distance(z)
    return a, b


def step_default(net, x):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        return nearest(net(x))


def report(net, x):
    return nearest_offline(net(x))


def demonstrate():
    torch.manual_seed(0)
    net = nn.Linear(4, 4).to(DEVICE_TYPE)
    x = torch.randn(1, 4, device=DEVICE_TYPE) + 0.01 * torch.randn(32, 4, device=DEVICE_TYPE)
    step(net, x)
    step_default(net, x)
    with torch.no_grad():
        z = F.normalize(net(x), dim=-1)
        exact = report(nn.Identity(), z)
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            rough = nearest(z)
            kept = nearest_exact(z)
    assert torch.equal(kept, exact)
    assert (rough != exact).float().mean() > 0.5  # close neighbours cannot be told apart in bf16
    a, b = step_exact(net, x)
    assert (a == b).float().mean() > 0.5
