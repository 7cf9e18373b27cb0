"""A BlockMask of flex attention holds tensors, and no module moves them."""
import torch
from torch import nn
from torch.nn.attention.flex_attention import create_block_mask, flex_attention


def later_sees_earlier(batch, head, query, key):
    return query >= key


class KeyedBySize(nn.Module):
    def __init__(self):
        super().__init__()
        self.masks = {}

    def mask(self, size, device):
        if size not in self.masks:
            self.masks[size] = create_block_mask(  # expect: TL104
                later_sees_earlier, None, None, size, size, device=device
            )
        return self.masks[size]

    def forward(self, q, k, v):
        return flex_attention(q, k, v, block_mask=self.mask(q.shape[-2], q.device))


class KeyedByDevice(nn.Module):
    def __init__(self):
        super().__init__()
        self.masks = {}

    def mask(self, size, device):
        key = (size, device)
        if key not in self.masks:
            self.masks[key] = create_block_mask(  # ok: TL104  the key has the device
                later_sees_earlier, None, None, size, size, device=device
            )
        return self.masks[key]

    def forward(self, q, k, v):
        return flex_attention(q, k, v, block_mask=self.mask(q.shape[-2], q.device))


def demonstrate():
    keyed, whole = KeyedBySize(), KeyedByDevice()
    for module in (keyed, whole):
        module.mask(128, torch.device("cpu"))
        module.to("meta")
    assert keyed.mask(128, torch.device("meta")).kv_indices.device.type == "cpu"
    assert whole.mask(128, torch.device("meta")).kv_indices.device.type == "meta"
