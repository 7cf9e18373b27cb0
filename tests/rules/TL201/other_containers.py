"""Lists, dicts and NumPy arrays have rules of their own about what may index them."""
import numpy as np
import torch


def of_dict(seen: list[float]):
    counts = {0.5: "half"}
    key = torch.full((1,), 0.5)
    return counts[key.item()], {key: 1}[key]  # ok: TL201  a dict takes any key


def of_array(size: int):
    rows = np.arange(size)
    steps = np.linspace(0, 1, size).round().astype(int)  # ok: TL201
    return rows[steps], rows[rows > 1]


def of_list(names: list[str]):
    place = torch.ones(()).sum()
    return names[int(place)]  # ok: TL201


def of_tensor(x):
    place = torch.full((1,), 1.0)  # expect: TL201
    return x[place]


def demonstrate():
    assert of_dict([0.5])[0] == "half"
    assert len(of_array(3)[0]) == 3
    assert of_list(["a", "b"]) == "b"
    try:
        of_tensor(torch.ones(3))
        raise AssertionError("floating indices were accepted")
    except IndexError:
        pass
