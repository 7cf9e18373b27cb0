"""A finetuning script moves everything to weight_dtype; the adapter that the optimizer trains is inside and becomes half.

source: huggingface/diffusers#6442, huggingface/diffusers#10752, yk7333/d3po#6
rules: [TL404]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Autoencoder(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.enc = nn.Linear(dim, dim)

    def forward(self, x):
        return self.enc(x)


class Denoiser(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.body, self.adapter = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def forward(self, x):
        return self.body(x) + self.adapter(x)


def pick_dtype(args):
    weight_dtype = torch.float32
    if args["mixed_precision"] == "fp16":
        weight_dtype = torch.float16
    return weight_dtype


def one_step(net, opt, scaler, x):
    with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
        loss = F.mse_loss(net(x).float(), torch.zeros_like(x))  # ok: TL401
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()


def main(args, x):
    weight_dtype = torch.float32
    if args["mixed_precision"] == "fp16":
        weight_dtype = torch.float16
    vae, net = Autoencoder(), Denoiser()
    vae.requires_grad_(False)
    vae.to(DEVICE_TYPE, dtype=weight_dtype)  # ok: TL404
    net.to(DEVICE_TYPE, dtype=weight_dtype)  # expect: TL404
    net.body.requires_grad_(False)
    opt = torch.optim.AdamW(net.adapter.parameters(), lr=1e-3, eps=1e-4)
    scaler = torch.amp.GradScaler(DEVICE_TYPE, init_scale=8.0)
    with torch.no_grad():
        latent = vae(x.to(weight_dtype)).float()
    one_step(net, opt, scaler, latent)
    return net


def main_fixed(args, x):
    weight_dtype = pick_dtype(args)
    vae, net = Autoencoder(), Denoiser()
    vae.requires_grad_(False)
    net.body.requires_grad_(False)
    vae.to(DEVICE_TYPE, dtype=weight_dtype)  # ok: TL404
    net.body.to(DEVICE_TYPE, dtype=weight_dtype)  # ok: TL404
    net.adapter.to(DEVICE_TYPE)
    opt = torch.optim.AdamW(net.adapter.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler(DEVICE_TYPE, init_scale=8.0)
    with torch.no_grad():
        latent = vae(x.to(weight_dtype)).float()
    one_step(net, opt, scaler, latent)
    return net


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 4, device=DEVICE_TYPE)
    try:
        main({"mixed_precision": "fp16"}, x)
        raise AssertionError("fp16 gradients were unscaled")
    except ValueError as err:
        assert "unscale FP16 gradients" in str(err), err
    main({"mixed_precision": "no"}, x)
    net = main_fixed({"mixed_precision": "fp16"}, x)
    assert net.adapter.weight.dtype is torch.float32 and net.body.weight.dtype is torch.float16
