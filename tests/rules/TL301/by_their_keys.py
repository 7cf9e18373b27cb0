"""The keys of a state are walked over, and each value is looked up: in the state, or in a copy of it."""
import io

import torch
from torch import nn


def halve_part(source, target):
    checkpoint = torch.load(source)
    for key in checkpoint["model"]:
        checkpoint["model"][key] = checkpoint["model"][key].half()  # expect: TL301
    torch.save(checkpoint, target)


def halve_some(source, target):
    checkpoint = torch.load(source)
    for key in ("weight", "bias"):
        checkpoint["model"][key] = checkpoint["model"][key].half()  # ok: TL301  chosen by name
    torch.save(checkpoint, target)


def halve_floats(source, target):
    checkpoint = torch.load(source)
    for key in list(checkpoint["model"].keys()):
        if checkpoint["model"][key].is_floating_point():
            checkpoint["model"][key] = checkpoint["model"][key].half()  # ok: TL301
    torch.save(checkpoint, target)


class Shadow:
    def __init__(self, model: nn.Module, decay: float = 0.9):
        self.decay = decay
        self.shadow = {key: value.clone() for key, value in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model):
        for key, value in model.state_dict().items():
            self.shadow[key].mul_(self.decay).add_(value, alpha=1 - self.decay)  # expect: TL301


class ShadowOfFloats(Shadow):
    @torch.no_grad()
    def update(self, model):
        for key, value in model.state_dict().items():
            if value.dtype.is_floating_point:
                self.shadow[key].mul_(self.decay).add_(value, alpha=1 - self.decay)  # ok: TL301


class WideShadow:
    def __init__(self, model: nn.Module, decay: float = 0.9):
        self.decay = decay
        self.wide = {key: value.clone().float() for key, value in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model):
        for key, value in model.state_dict().items():
            self.wide[key].mul_(self.decay).add_(value, alpha=1 - self.decay)  # ok: TL301  all are float32


class ShadowOfParameters:
    def __init__(self, model: nn.Module, decay: float = 0.9):
        self.decay = decay
        self.shadow = {name: value.clone() for name, value in model.named_parameters()}

    @torch.no_grad()
    def update(self, model):
        for name, value in model.named_parameters():
            self.shadow[name].mul_(self.decay).add_(value, alpha=1 - self.decay)  # ok: TL301


def demonstrate():
    model = nn.BatchNorm1d(2)

    def converted(convert):
        source, target = io.BytesIO(), io.BytesIO()
        torch.save({"model": model.state_dict()}, source)
        source.seek(0)
        convert(source, target)
        target.seek(0)
        return torch.load(target)["model"]["num_batches_tracked"].dtype

    assert converted(halve_part) is torch.float16
    assert converted(halve_some) is converted(halve_floats) is torch.int64
    for kind, works in ((Shadow, False), (ShadowOfFloats, True), (WideShadow, True), (ShadowOfParameters, True)):
        try:
            kind(model).update(model)
            worked = True
        except RuntimeError as error:
            assert "can't be cast" in str(error)
            worked = False
        assert worked is works, kind
