"""What torch says: the object called under no_grad() records nothing, the one that translations() calls does."""
import torch
from serving import serve
from torch import nn


def demonstrate():
    (written, rendered), summary, translation = serve(nn.Linear(2, 2), [torch.ones(1, 2)])
    assert not any(out.requires_grad for out in (*written, *rendered, summary))
    assert translation.requires_grad
