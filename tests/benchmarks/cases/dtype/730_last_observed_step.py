"""The last observed step of a track is computed from a float mask, the grid cell from a true division; both are used as indices.

source: meaten/FlowChain-ICCV2023#3
rules: [TL201]
"""
import torch
from torch import nn


class TrackEncoder(nn.Module):
    def __init__(self, hidden=6, cells=16, cell_size=0.5):
        super().__init__()
        self.rnn = nn.GRU(2, hidden, batch_first=True)
        self.place = nn.Embedding(cells, hidden)
        self.cells, self.cell_size = cells, cell_size

    def summary(self, track, observed):
        seen = observed.float()  # expect: TL201
        out, _ = self.rnn(track * seen.unsqueeze(-1))
        last = seen.sum(dim=1) - 1
        return out[torch.arange(out.size(0), device=out.device), last]  # use: TL201

    def where(self, track):
        cell = torch.floor(track[:, 0, 0].abs() / self.cell_size)  # expect: TL201
        return self.place(cell.clamp(max=self.cells - 1))  # use: TL201

    def forward(self, track, observed):
        return self.summary(track, observed) + self.where(track)


class TrackEncoderFixed(TrackEncoder):
    def summary(self, track, observed):
        seen = observed.float()
        out, _ = self.rnn(track * seen.unsqueeze(-1))
        last = observed.sum(dim=1) - 1
        return out[torch.arange(out.size(0), device=out.device), last]  # ok: TL201

    def where(self, track):
        cell = torch.floor(track[:, 0, 0].abs() / self.cell_size).long()
        return self.place(cell.clamp(max=self.cells - 1))  # ok: TL201

    def furthest(self, track):
        dist = (track - track.mean(dim=1, keepdim=True)).norm(dim=-1)
        step = dist.argmax(dim=1)
        near = dist < dist.mean()
        return track[torch.arange(len(track)), step], track[near]  # ok: TL201


def demonstrate():
    torch.manual_seed(0)
    track, observed = torch.randn(3, 5, 2), torch.ones(3, 5, dtype=torch.bool)
    observed[1, 3:] = False
    bad, good = TrackEncoder(), TrackEncoderFixed()
    try:
        bad.summary(track, observed)
        raise AssertionError("float step accepted as index")
    except IndexError as err:
        assert "tensors used as indices" in str(err)
    try:
        bad.where(track)
        raise AssertionError("float cell accepted by the embedding")
    except RuntimeError as err:
        assert "indices" in str(err)
    out = good(track, observed)
    assert out.shape == (3, 6)
    good.rnn.flatten_parameters()
    full, _ = good.rnn(track * observed.float().unsqueeze(-1))
    assert torch.equal(good.summary(track, observed)[1], full[1, 2])
    far, near = good.furthest(track)
    assert far.shape == (3, 2) and near.shape[1] == 2
