"""Second-order training collects input covariances in forward hooks; the hooks run inside the region and 'upcast' before the product.

source: K-FAC style preconditioners under mixed precision; huggingface/diffusers#13920 kind (a cast before a product is ignored)
rules: [TL403]
"""
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Collector:
    def __init__(self, net):
        self.factors, self.handles = {}, []
        for name, part in net.named_modules():
            if isinstance(part, nn.Linear):
                self.handles.append(part.register_forward_hook(self.hook(name)))

    def hook(self, name):
        def keep(part, args, out):
            self.factors[name] = self.factor(args[0].detach())

        return keep

    def factor(self, a):
        raise NotImplementedError


class Casting(Collector):
    def factor(self, a):
        return torch.mm(a.float().t(), a.float()) / a.size(0)  # expect: TL403


class Island(Collector):
    def factor(self, a):
        with torch.autocast(KIND, enabled=False):
            a = a.float()
            return a.t() @ a / a.size(0)  # ok: TL403


class Diagonal(Collector):
    """Squares and a mean: elementwise work that keeps the wide type."""

    def factor(self, a):
        return torch.diag(a.float().square().mean(0))  # ok: TL403


class Deferred(Collector):
    """The hook keeps the inputs; the products are made when the region is over."""

    def factor(self, a):
        return a

    def finish(self):
        return {k: a.float().t() @ a.float() / a.size(0) for k, a in self.factors.items()}  # ok: TL403


def pass_through(net, x):
    with torch.autocast(KIND, dtype=torch.bfloat16):
        loss = net(x).float().pow(2).mean()
    loss.backward()


def precondition(net, x, kind=Casting):
    seen = kind(net)
    pass_through(net, x)
    return seen


def demonstrate():
    x = torch.randn(16, 3, generator=torch.Generator().manual_seed(1)).to(KIND)

    def run(kind):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)).to(KIND)
        seen = precondition(net, x, kind)
        return seen.finish() if kind is Deferred else seen.factors

    assert run(Casting)["0"].dtype is torch.bfloat16
    for kind in (Island, Diagonal, Deferred):
        assert run(kind)["0"].dtype is torch.float32, kind
    assert torch.allclose(run(Island)["2"], run(Deferred)["2"])
