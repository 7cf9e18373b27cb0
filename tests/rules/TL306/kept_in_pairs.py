"""Outputs and labels are kept in pairs: what is on the accelerator is the output, not what the loader gave beside it."""

import torch
from torch import nn


@torch.no_grad()
def in_pairs(model: nn.Module, loader, device: torch.device):
    model.to(device)
    kept = [(model(x.to(device)), y) for x, y in loader]
    scores = torch.cat([score for score, _ in kept]).cpu().numpy()  # ok: TL306
    return scores, torch.cat([y for _, y in kept]).numpy()  # ok: TL306


@torch.no_grad()
def in_pairs_unmoved(model: nn.Module, loader, device: torch.device):
    model.to(device)
    kept = [(model(x.to(device)), y) for x, y in loader]
    return torch.cat([score for score, _ in kept]).numpy()  # expect: TL306


@torch.no_grad()
def in_a_loop(model: nn.Module, loader, device: torch.device):
    model.to(device)
    kept = [(model(x.to(device)), y) for x, y in loader]
    labels = []
    for _, y in kept:
        labels.append(y.numpy())  # ok: TL306
    return labels


@torch.no_grad()
def moved_labels(model: nn.Module, loader, device: torch.device):
    model.to(device)
    kept = [(model(x.to(device)), y.to(device)) for x, y in loader]
    return torch.cat([y for _, y in kept]).numpy()  # expect: TL306


def demonstrate():
    loader, device = [(torch.ones(2, 3), torch.ones(2))], torch.device("meta")
    for call in (in_pairs_unmoved, moved_labels):
        try:
            call(nn.Linear(3, 2), loader, device)
            raise AssertionError("numpy took a tensor of another device")
        except TypeError as error:
            assert "meta" in str(error) or "numpy" in str(error)
    in_a_loop(nn.Linear(3, 2), loader, device), in_pairs(nn.Linear(3, 2), loader, torch.device("cpu"))
