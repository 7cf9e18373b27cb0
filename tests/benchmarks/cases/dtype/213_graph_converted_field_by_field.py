"""A graph container converts itself by walking over its fields: edge numbers and class ids become half like the features.

source: edebrouwer/gru_ode_bayes#7 kind (indices that lost their type); scene and graph containers with a half() of their own
rules: [TL301]
"""
import torch
from torch import Tensor, nn


class Graph:
    def __init__(self, **fields):
        for name, value in fields.items():
            setattr(self, name, value)

    def half(self):
        for name, value in vars(self).items():
            if isinstance(value, Tensor):
                setattr(self, name, value.half())  # expect: TL301
        return self

    def to(self, device):
        for name, value in vars(self).items():
            if isinstance(value, Tensor):
                setattr(self, name, value.to(device))  # ok: TL301
        return self


class CarefulGraph(Graph):
    numeric = ("x", "weight")

    def half(self):
        for name, value in vars(self).items():
            if not torch.is_tensor(value) or not torch.is_floating_point(value):
                continue
            setattr(self, name, value.half())  # ok: TL301
        return self


class ListedGraph(Graph):
    numeric = ("x", "weight")

    def half(self):
        self.__dict__.update({n: getattr(self, n).half() for n in self.numeric})  # ok: TL301
        return self


class Convolution(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)

    def forward(self, g):
        src, dst = g.edges
        sent = self.lin(g.x)[src] * g.weight[:, None]
        return torch.zeros_like(g.x).index_add(0, dst, sent)


def sample(cls):
    edges = torch.tensor([[0, 4097, 2], [1, 2, 0]])
    return cls(x=torch.randn(4098, 2), weight=torch.ones(3), edges=edges, name="toy")


def serve(net, graph):
    with torch.inference_mode():
        return net.half()(graph.half())


def demonstrate():
    assert sample(Graph).half().edges[0, 1] == 4096, "another node"
    try:
        serve(Convolution(2), sample(Graph))
        raise AssertionError("half edges were indices")
    except (IndexError, RuntimeError):
        pass
    for cls in (CarefulGraph, ListedGraph):
        assert serve(Convolution(2), sample(cls)).dtype is torch.float16
