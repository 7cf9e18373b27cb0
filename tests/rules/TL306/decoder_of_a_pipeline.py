"""A pipeline decodes in bfloat16 with a part that is called decoder; a subclass decodes in float16 or widens first."""
import torch
from torch import nn


class Pipeline:
    def __init__(self):
        self.decoder = nn.Linear(2, 3).to(torch.bfloat16)

    @torch.inference_mode()
    def decode(self, z):
        return torch.stack([self.decoder(one.to(torch.bfloat16)) for one in z]).clamp(0, 1)

    def arrays(self, video):
        return video.permute(1, 0).cpu().numpy()  # expect: TL306

    def __call__(self, z):
        return self.arrays(self.decode(z))


class Widened(Pipeline):
    def arrays(self, video):
        return video.permute(1, 0).cpu().float().numpy()  # ok: TL306


class Halved(Pipeline):
    def __init__(self):
        super().__init__()
        self.decoder = nn.Linear(2, 3).half()

    @torch.inference_mode()
    def decode(self, z):
        return self.decoder(z.half()).clamp(0, 1)

    def arrays(self, video):
        return video.permute(1, 0).cpu().numpy()  # ok: TL306


def demonstrate():
    try:
        Pipeline()(torch.ones(2, 2))
        raise AssertionError("numpy took bfloat16")
    except TypeError as error:
        assert "BFloat16" in str(error)
    Widened()(torch.ones(2, 2)), Halved()(torch.ones(2, 2))
