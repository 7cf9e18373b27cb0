"""A multi-scale loss module accumulates with += into a tensor made on the CPU; on an accelerator the first += raises.

source: detection and flow losses ported from CPU notebooks
rules: [TL204]
"""
import torch
import torch.nn.functional as F
from torch import nn


class PyramidLoss(nn.Module):
    def __init__(self, weights=(1.0, 0.5, 0.25), smooth=0.1):
        super().__init__()
        self.weights, self.smooth = weights, smooth

    def forward(self, flows, target):
        total = torch.tensor(0.0)  # expect: TL204
        for w, flow in zip(self.weights, flows):
            small = F.interpolate(target, size=flow.shape[-2:])
            total += w * F.l1_loss(flow, small)
        return total + self.smooth * self.roughness(flows)

    def roughness(self, flows):
        edge = torch.zeros(1)  # expect: TL204
        for flow in flows:
            edge += flow.diff(dim=-1).abs().mean()
        return edge / len(flows)


class PyramidLossFixed(PyramidLoss):
    def forward(self, flows, target):
        total = target.new_zeros(())  # ok: TL204
        for w, flow in zip(self.weights, flows):
            small = F.interpolate(target, size=flow.shape[-2:])
            total += w * F.l1_loss(flow, small)
        return total + self.smooth * self.roughness(flows)

    def roughness(self, flows):
        edge = torch.tensor(0.0)  # ok: TL204
        for flow in flows:
            edge = edge + flow.diff(dim=-1).abs().mean()
        return edge / len(flows)


class PyramidLossSum(PyramidLossFixed):
    def forward(self, flows, target):
        total = 0.0
        for w, flow in zip(self.weights, flows):
            total += w * F.l1_loss(flow, F.interpolate(target, size=flow.shape[-2:]))
        gain = torch.tensor(2.0)  # ok: TL204
        return gain * total + self.smooth * self.roughness(flows)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    def batch(device):
        flows = [torch.ones(2, 2, n, n, device=device) for n in (8, 4, 2)]
        return flows, torch.zeros(2, 2, 8, 8, device=device)

    assert torch.isclose(PyramidLoss()(*batch("cpu")), torch.tensor(1.75)).all()  # fine here
    assert torch.isclose(PyramidLossFixed()(*batch("cpu")), torch.tensor(1.75))
    with FakeTensorMode():
        flows, target = batch("cuda")
        for broken in (lambda: PyramidLoss()(flows, target), lambda: PyramidLoss().roughness(flows)):
            try:
                broken()
                raise AssertionError("a cuda value was added to a CPU accumulator in place")
            except RuntimeError as err:
                assert "device" in str(err), err
        for cls in (PyramidLossFixed, PyramidLossSum):
            assert cls()(flows, target).device.type == "cuda"
