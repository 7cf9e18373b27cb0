"""A weight-histogram logger standardises what it draws, in place, in the tensors of the live network.

source: OpenMined/PySyft#3613 kind of aliasing (state_dict values are the parameters), weight logging callbacks
rules: [TL111]
"""
import torch
import torch.nn as nn


class WeightPlot:
    def __init__(self, bins: int = 5):
        self.bins = bins
        self.rows: dict[str, list] = {}

    def values(self, net: nn.Module):
        return ((k, v) for k, v in net.state_dict().items() if v.is_floating_point() and v.numel() > 1)

    def draw(self, name: str, v: torch.Tensor) -> None:
        self.rows[name] = torch.histc(v, self.bins, -3, 3).tolist()

    def __call__(self, net: nn.Module) -> None:
        raise NotImplementedError


class InPlacePlot(WeightPlot):
    def __call__(self, net):
        for name, v in net.state_dict().items():
            if v.is_floating_point() and v.numel() > 1:
                v -= v.mean()  # expect: TL111
                v.div_(v.std() + 1e-8)  # use: TL111
                self.draw(name, v)


class RebindingPlot(WeightPlot):
    def __call__(self, net):
        for name, v in self.values(net):
            v = v - v.mean()  # ok: TL111
            v = v / (v.std() + 1e-8)  # ok: TL111
            self.draw(name, v)


class CopyingPlot(WeightPlot):
    def __call__(self, net):
        for name, v in net.state_dict().items():
            if not v.is_floating_point() or v.numel() < 2:
                continue
            v = v.clone()
            v -= v.mean()  # ok: TL111
            v /= v.std() + 1e-8  # ok: TL111
            self.draw(name, v)


def compressed(net: nn.Module) -> dict:
    """A checkpoint of half size; the dict changes, the tensors of the network do not."""
    sd = net.state_dict()
    for key in list(sd):
        if sd[key].is_floating_point():
            sd[key] = sd[key].half()  # ok: TL111
    return sd


def damp_statistics(net: nn.Module, factor: float) -> dict:
    """Meant to report what damped statistics would be."""
    report = {}
    for name, buf in net.named_buffers():
        if buf.is_floating_point():
            report[name] = buf.mul_(factor).mean().item()  # expect: TL111
    return report


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for plot, harmless in ((InPlacePlot(), False), (RebindingPlot(), True), (CopyingPlot(), True)):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
        net(torch.randn(8, 3) + 2)
        before = {k: v.clone() for k, v in net.state_dict().items()}
        plot(net)
        assert len(plot.rows) == 6
        assert all(torch.equal(v, before[k]) for k, v in net.state_dict().items()) is harmless, plot
        assert compressed(net)["0.weight"].dtype == torch.float16 and net[0].weight.dtype == torch.float32
    kept = net[1].running_mean.clone()
    damp_statistics(net, 0.5)
    assert not torch.equal(net[1].running_mean, kept)
