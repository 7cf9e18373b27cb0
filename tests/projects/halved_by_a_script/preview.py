"""Another script, which takes the network from the zoo."""

import torch

from nets.zoo import made


@torch.inference_mode()
def previewed(name, x):
    net = made(name).eval()
    return net.half()(x.half())
