"""What prepares a batch by its name, and moves what it returns, works on the CPU, also where forward() calls it."""
import torch
from torch import nn


class Graphs(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def _preprocess(self, graphs):
        edges = torch.cat([graph.edges + at for at, graph in enumerate(graphs)], 1)
        loops = torch.tensor([[0, 1], [0, 1]])  # ok: TL204  as the graphs are
        return torch.cat([edges, loops], 1).to(self.layer.weight.device)

    def _weights(self, hidden):
        ramp = torch.linspace(0, 1, hidden.shape[-1])  # expect: TL204
        return (hidden.abs() * ramp).to(self.layer.weight.device)

    def _prepare_data(self, hidden):
        return hidden.abs() * torch.linspace(0, 1, hidden.shape[-1])  # expect: TL204

    def _moved(self, hidden):
        ramp = torch.linspace(0, 1, hidden.shape[-1]).to(hidden.device)  # ok: TL204
        return (hidden.abs() * ramp).to(self.layer.weight.device)

    def forward(self, graphs, x):
        hidden = self.layer(x)
        hidden = self._weights(hidden) + self._prepare_data(hidden) + self._moved(hidden)
        edges = self._preprocess(graphs)
        return hidden[edges[0]] + hidden[edges[1]]


class Graph:
    def __init__(self, edges):
        self.edges = edges


def demonstrate():
    graphs = [Graph(torch.zeros(2, 1, dtype=torch.long)), Graph(torch.zeros(2, 1, dtype=torch.long))]
    net = Graphs()
    assert net(graphs, torch.ones(3, 2)).shape == (4, 2)
    assert net._preprocess(graphs).shape == (2, 4)
    net.to("meta")
    for method in (net._weights, net._prepare_data):
        try:
            method(torch.ones(1, 2, device="meta"))
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "device" in str(error)
