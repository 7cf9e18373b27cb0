"""A branch that runs on the CPU alone: by the name of the device, by a flag, or by what the branch has put into a list."""
import numpy as np
import torch
from torch import nn


@torch.no_grad()
def predictions(model: nn.Module, loader, device="cpu"):
    model.to(device)
    found = []
    for x in loader:
        out = model(x.to(device))
        if device == "cpu":
            found.append(out.numpy())  # ok: TL306
        else:
            found.append(out.cpu().numpy())  # ok: TL306
    return found


@torch.no_grad()
def predictions_on_the_other(model: nn.Module, loader, device="cpu"):
    model.to(device)
    found = []
    for x in loader:
        out = model(x.to(device))
        if device != "cpu":
            found.append(out.numpy())  # expect: TL306
    return found


@torch.no_grad()
def scores(model: nn.Module, x, device, use_cuda=False):
    out = model.to(device)(x.to(device))
    if use_cuda:
        return out.cpu().numpy()  # ok: TL306
    return out.numpy()  # ok: TL306


@torch.no_grad()
def scores_there(model: nn.Module, x, device, use_cuda=False):
    out = model.to(device)(x.to(device))
    if use_cuda:
        return out.numpy()  # expect: TL306
    return out.cpu().numpy()


@torch.no_grad()
def all_scores(model: nn.Module, loader, device, as_tensors=False):
    found = []
    for x in loader:
        out = model.to(device)(x.to(device))
        if as_tensors:
            found.append(out)
        else:
            found.append(out.cpu().numpy())
    if as_tensors:
        return torch.cat(found)
    return np.concatenate(found)  # ok: TL306  arrays alone


@torch.no_grad()
def all_scores_of_both(model: nn.Module, loader, device, as_tensors=False):
    found = []
    for x in loader:
        out = model.to(device)(x.to(device))
        if as_tensors:
            found.append(out)
        else:
            found.append(out.cpu())
    if as_tensors:
        return np.concatenate(found)  # expect: TL306
    return np.concatenate(found)  # ok: TL306


def demonstrate():
    model, loader = nn.Linear(2, 2), [torch.ones(1, 2)]
    predictions(model, loader), scores(model, loader[0], "cpu")
    all_scores(model, loader, "cpu"), all_scores_of_both(model, loader, "cpu")
    away = nn.Linear(2, 2, device="meta")
    for function in (
        lambda: predictions_on_the_other(away, loader, "meta"),
        lambda: scores_there(away, loader[0], "meta", use_cuda=True),
        lambda: all_scores_of_both(away, loader, "meta", as_tensors=True),
    ):
        try:
            function()
        except (TypeError, NotImplementedError) as error:
            assert "cpu" in str(error).lower() or "meta" in str(error), error
        else:
            raise AssertionError("numpy took a tensor of another device")
