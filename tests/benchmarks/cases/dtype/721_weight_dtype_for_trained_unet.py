"""weight_dtype is meant for the frozen parts of a diffusion model, but the trained denoiser is moved to it as well.

source: yk7333/d3po#6, huggingface/diffusers#2780 (the same error)
rules: [TL404]
"""
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Coder(nn.Module):
    def __init__(self, dim=8, latent=4):
        super().__init__()
        self.down = nn.Linear(dim, latent)

    def encode(self, x):
        return self.down(x)


class Denoiser(nn.Module):
    def __init__(self, latent=4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent + 1, 16), nn.SiLU(), nn.Linear(16, latent))

    def forward(self, z, t):
        return self.net(torch.cat([z, t], dim=-1))


def run_step(vae, unet, opt, scaler, x, weight_dtype):
    with torch.no_grad():
        z = vae.encode(x.to(weight_dtype))
    noise, t = torch.randn_like(z), torch.rand(z.size(0), 1, device=z.device, dtype=z.dtype)
    with torch.autocast(DEVICE_TYPE, dtype=torch.float16, enabled=weight_dtype == torch.float16):
        pred = unet(z + t * noise, t)
        loss = F.mse_loss(pred.float(), noise.float())  # ok: TL401
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    torch.nn.utils.clip_grad_norm_(unet.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    return loss.detach()


def main(args, x):
    weight_dtype = torch.float32
    if args.mixed_precision == "fp16":
        weight_dtype = torch.float16
    vae, unet = Coder(), Denoiser()
    vae.requires_grad_(False)
    vae.to(DEVICE_TYPE, dtype=weight_dtype)  # ok: TL404
    unet.to(DEVICE_TYPE, dtype=weight_dtype)  # expect: TL404
    opt = torch.optim.SGD(unet.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler(DEVICE_TYPE, init_scale=1024.0, enabled=args.mixed_precision == "fp16")
    return run_step(vae, unet, opt, scaler, x, weight_dtype), unet


def main_fixed(args, x):
    weight_dtype = torch.float32
    if args.mixed_precision == "fp16":
        weight_dtype = torch.float16
    vae, unet = Coder(), Denoiser()
    vae.requires_grad_(False)
    vae.to(DEVICE_TYPE, dtype=weight_dtype)  # ok: TL404
    unet.to(DEVICE_TYPE)  # ok: TL404
    opt = torch.optim.SGD(unet.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler(DEVICE_TYPE, init_scale=1024.0, enabled=args.mixed_precision == "fp16")
    return run_step(vae, unet, opt, scaler, x, weight_dtype), unet


@torch.no_grad()
def validate(args, net, z):
    net = net.eval().to(DEVICE_TYPE, dtype=torch.float16)  # ok: TL404
    t = torch.zeros(z.size(0), 1, device=z.device, dtype=torch.float16)
    return net(z.half(), t)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(6, 8, device=DEVICE_TYPE)
    fp16, fp32 = (SimpleNamespace(mixed_precision=m, lr=0.1) for m in ("fp16", "no"))
    try:
        main(fp16, x)
        raise AssertionError("float16 gradients were unscaled")
    except ValueError as err:
        assert "unscale FP16 gradients" in str(err)
    main(fp32, x)  # without the flag all is well
    _, unet = main_fixed(fp16, x)
    assert unet.net[0].weight.dtype is torch.float32
    assert validate(fp16, Denoiser(), torch.randn(2, 4, device=DEVICE_TYPE)).dtype is torch.float16
