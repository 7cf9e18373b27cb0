"""Multi-resolution spectral loss: analysis windows in a list, learned band weights in a dict, neither known to the module.

source: pytorch/pytorch#29807 (a list beside the registry), vocoder training losses; classes written from scratch
rules: [TL105]
"""
import torch
import torch.nn as nn


def magnitude(x: torch.Tensor, n_fft: int, window: torch.Tensor) -> torch.Tensor:
    spec = torch.stft(x, n_fft, hop_length=n_fft // 4, window=window, return_complex=True)
    return spec.abs().clamp_min(1e-5)


class ListedWindowsLoss(nn.Module):
    def __init__(self, fft_sizes=(16, 32, 64)):
        super().__init__()
        self.fft_sizes = list(fft_sizes)  # ok: TL105
        self.windows = [torch.hann_window(n) for n in fft_sizes]  # expect: TL105
        self.log_weight = {n: nn.Parameter(torch.zeros(1)) for n in fft_sizes}  # expect: TL105
        self.curve: list[float] = []  # ok: TL105

    def forward(self, fake, real):
        loss = 0.0
        for n, window in zip(self.fft_sizes, self.windows):
            gap = (magnitude(fake, n, window).log() - magnitude(real, n, window).log()).abs().mean()
            loss = loss + gap * self.log_weight[n].exp()
        self.curve.append(float(loss.detach()))
        return loss


class Resolution(nn.Module):
    def __init__(self, n_fft: int):
        super().__init__()
        self.n_fft = n_fft
        self.register_buffer("window", torch.hann_window(n_fft), persistent=False)

    def forward(self, fake, real):
        return (magnitude(fake, self.n_fft, self.window).log() - magnitude(real, self.n_fft, self.window).log()).abs().mean()


class RegisteredLoss(nn.Module):
    def __init__(self, fft_sizes=(16, 32, 64)):
        super().__init__()
        self.scales = []  # ok: TL105
        for n in fft_sizes:
            self.scales.append(Resolution(n))
        self.scales = nn.ModuleList(self.scales)
        self.log_weight = nn.ParameterDict({f"n{n}": torch.zeros(1) for n in fft_sizes})
        # ordered view of Parameters that the dict above already owns
        self.weight_list = [self.log_weight[f"n{n}"] for n in fft_sizes]  # ok: TL105

    def forward(self, fake, real):
        loss = 0.0
        for scale, w in zip(self.scales, self.weight_list):
            loss = loss + scale(fake, real) * w.exp()
        return loss


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    fake, real = torch.randn(2, 256), torch.randn(2, 256)
    bad, good = ListedWindowsLoss(), RegisteredLoss()
    assert torch.allclose(bad(fake, real), good(fake, real))
    assert not list(bad.parameters()) and not bad.state_dict()
    assert len(list(good.parameters())) == 3 and len(good.state_dict()) == 3
    bad.double(), good.double()
    assert bad.windows[0].dtype == torch.float32 and bad.log_weight[16].dtype == torch.float32
    good(fake.double(), real.double()).backward()
    assert all(p.grad is not None for p in good.parameters())
    assert good.weight_list[0] is good.log_weight["n16"]
    bad.to("meta"), good.to("meta")
    assert bad.windows[0].device.type == "cpu" and good.scales[0].window.is_meta
    try:
        magnitude(fake.to("meta"), 16, bad.windows[0])
        raise AssertionError("expected a device clash in stft")
    except RuntimeError:
        pass
    assert magnitude(fake.to("meta"), 16, good.scales[0].window).is_meta
