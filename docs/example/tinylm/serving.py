"""Beam search and export."""

import torch
from torch import Tensor, nn


def longer_beams(beams: Tensor, scores: Tensor) -> Tensor:
    """Each of the best continuations; beams: [beams, length] word numbers, scores: [beams, words]."""
    best = scores.flatten().topk(len(beams)).indices
    kept = best / scores.shape[1]
    return torch.cat((beams[kept], (best % scores.shape[1])[:, None]), dim=1)


def export(model: nn.Module, path: str) -> None:
    """Write the weights in half the space."""
    torch.save({name: value.half() for name, value in model.state_dict().items()}, path)
