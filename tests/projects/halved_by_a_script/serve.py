"""The network is made by a table, and halved by a helper for any network."""

import torch

from nets import Body

TABLE = {"body": Body}


def compacted(net, dtype=torch.float16):
    net.eval()
    return net.to(dtype)


def served(name):
    return compacted(TABLE[name]())
