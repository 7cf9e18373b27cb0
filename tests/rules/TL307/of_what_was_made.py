"""torch.tensor(x).float() makes two tensors where dtype= makes one."""
import torch


def rewards(values):
    return torch.tensor(values).float()  # note: TL307


def states(values):
    return torch.as_tensor(values).unsqueeze(0).to(torch.float32)  # note: TL307


def indices(values):
    return torch.tensor(values).view(-1).long()  # note: TL307


def with_dtype(values):
    return torch.tensor(values, dtype=torch.float32)  # ok: TL307


def from_array(values):
    return torch.from_numpy(values).float()  # ok: TL307  it takes no dtype


def to_device(values, device):
    return torch.tensor(values).to(device)  # ok: TL307


def after_arithmetic(values):
    return (torch.tensor(values) * 2).float()  # ok: TL307


def of_a_tensor(x: torch.Tensor):
    return torch.as_tensor(x).float()  # ok: TL307


def demonstrate():
    import numpy as np

    assert torch.equal(rewards([1, 2]), with_dtype([1, 2]))
    states([1, 2]), indices([1, 2]), from_array(np.ones(2)), to_device([1], "cpu"), after_arithmetic([1])
    of_a_tensor(torch.ones(1))
