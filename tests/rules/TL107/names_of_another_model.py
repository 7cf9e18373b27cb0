"""The names of named_parameters() have dots where a model has children."""
import torch
from torch import nn


class Average(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        for name, parameter in model.named_parameters():
            self.register_buffer(f"{name}_mean", parameter.detach().clone())  # expect: TL107


class Same(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        for key, value in model.state_dict().items():
            self.register_buffer(key, value.clone())  # expect: TL107


class Listed(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        self.values = nn.ParameterDict({name: p for name, p in model.named_parameters()})  # expect: TL107


class Replaced(nn.Module):
    def __init__(self, model: nn.Module, layer: nn.Module):
        super().__init__()
        for name, parameter in model.named_parameters():
            self.register_buffer(name.replace(".", "_"), parameter.detach().clone())  # ok: TL107
            key = "_".join(name.split("."))
            self.register_buffer(f"{key}_var", torch.zeros_like(parameter))  # ok: TL107
        for name, parameter in model.named_parameters():
            if "." not in name:
                self.register_buffer(f"own_{name}", parameter.detach().clone())  # ok: TL107
        for name, child in model.named_children():
            self.add_module(f"copy_{name}", child)  # ok: TL107
        for name, parameter in layer.named_parameters(recurse=False):
            self.register_buffer(f"{name}_start", parameter.detach().clone())  # ok: TL107


def demonstrate():
    model = nn.Sequential(nn.Linear(1, 1))
    for bad in (Average, Same, Listed):
        try:
            bad(model)
        except KeyError as error:
            assert 'contain "."' in str(error)
        else:
            raise AssertionError(bad)
    assert len(Replaced(model, model[0]).state_dict()) == 2 + 2 + 2 + 2
