"""A graph layer pins what it builds in forward to a module-level device, or to .cuda(), instead of the device of its input.

source: research code run on a second GPU or on the CPU, issues "Torch not compiled with CUDA enabled"
rules: [TL207]
"""
import torch
import torch.nn.functional as F
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class GraphLayer(nn.Module):
    def __init__(self, dim_in=6, dim_out=4, drop_edge=0.2):
        super().__init__()
        self.lin = nn.Linear(dim_in, dim_out)
        self.drop_edge = drop_edge

    def loops(self, adj):
        return adj + torch.eye(adj.size(-1), device=device)  # expect: TL207

    def thin(self, adj):
        keep = torch.rand(adj.shape).cuda() > self.drop_edge  # expect: TL207
        return adj * keep

    def forward(self, x, adj):
        if self.training and self.drop_edge > 0:
            adj = self.thin(adj)
        adj = self.loops(adj)
        deg = adj.sum(dim=-1, keepdim=True).clamp(min=1)
        return F.relu(self.lin(adj @ x / deg))


class GraphLayerFixed(GraphLayer):
    def loops(self, adj):
        return adj + torch.eye(adj.size(-1), device=adj.device, dtype=adj.dtype)  # ok: TL207

    def thin(self, adj):
        keep = torch.rand_like(adj) > self.drop_edge  # ok: TL207
        return adj * keep

    def cheb(self, x, adj):
        eye = torch.eye(adj.size(-1), dtype=adj.dtype)
        if adj.is_cuda:
            eye = eye.cuda(adj.device)  # ok: TL207
        return self.lin((2 * adj - eye) @ x)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x, adj = torch.randn(1, 5, 6), (torch.rand(1, 5, 5) > 0.5).float()
    bad, good = GraphLayer(), GraphLayerFixed()
    if not torch.cuda.is_available():
        try:
            bad(x, adj)
            raise AssertionError(".cuda() worked without cuda")
        except (AssertionError, RuntimeError) as err:
            assert "CUDA" in str(err), err
    # a module moved somewhere else than the import-time choice
    bad, good = bad.to("meta"), good.to("meta")
    x, adj = x.to("meta"), adj.to("meta")
    try:
        bad.eval()(x, adj)
        raise AssertionError("two devices were added")
    except RuntimeError as err:
        assert "device" in str(err), err
    assert good(x, adj).device.type == "meta"
    assert GraphLayerFixed().cheb(torch.randn(1, 5, 6), torch.rand(1, 5, 5)).shape == (1, 5, 4)
