"""Frame positions for a clip come from torch.linspace, which is floating; indexing the video with them raises.

source: video classification loaders (uniform temporal subsampling written by hand)
rules: [TL201]
"""
import torch


class ClipSampler:
    """video: [channels, frames, height, width]."""

    def __init__(self, frames: int = 8, recency: float = 0.5):
        self.frames = frames
        self.recency = recency

    def uniform(self, video):
        last = video.shape[1] - 1
        picks = torch.linspace(0, last, self.frames)  # expect: TL201
        return video[:, picks]  # use: TL201

    def nearest(self, video):
        last = video.shape[1] - 1
        keep = torch.linspace(0, last, self.frames).round()  # expect: TL201
        return torch.index_select(video, 1, keep)  # use: TL201


class ClipSamplerFixed(ClipSampler):
    def uniform(self, video):
        last = video.shape[1] - 1
        picks = torch.linspace(0, last, self.frames)  # ok: TL201
        picks = picks.clamp(0, last).long()
        return video[:, picks]  # ok: TL201

    def nearest(self, video):
        last = video.shape[1] - 1
        keep = torch.linspace(0, last, self.frames).round().to(torch.int64)  # ok: TL201
        return torch.index_select(video, 1, keep)  # ok: TL201

    def strided(self, video, rate: int = 2):
        room = max(1, video.shape[1] - rate * self.frames)
        start = torch.randint(0, room, (1,))
        picks = start + torch.arange(self.frames) * rate
        return video[:, picks % video.shape[1]]  # ok: TL201

    def random_sorted(self, video):
        keep = torch.randperm(video.shape[1])[: self.frames].sort()[0]
        return video.index_select(1, keep)  # ok: TL201

    def recent_first(self, video):
        weight = torch.linspace(self.recency, 1.0, video.shape[1])  # ok: TL201
        order = weight.argsort(descending=True)[: self.frames]
        return video[:, order] * weight[order].view(1, -1, 1, 1)  # ok: TL201


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    video = torch.rand(3, 20, 4, 4)
    bad, good = ClipSampler(), ClipSamplerFixed()
    for call, said in ((bad.uniform, "used as indices"), (bad.nearest, "index_select")):
        try:
            call(video)
            raise AssertionError("floating frame positions were accepted")
        except (IndexError, RuntimeError) as err:
            assert said in str(err), err
    for call in (good.uniform, good.nearest, good.strided, good.random_sorted, good.recent_first):
        assert call(video).shape == (3, 8, 4, 4)
    assert torch.equal(good.nearest(video)[:, -1], video[:, -1])
