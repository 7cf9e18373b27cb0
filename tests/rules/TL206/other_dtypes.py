"""A dtype of NumPy has an order, and what is called dtype may be a setting: only torch's own is flagged."""
import numpy as np
import torch


def of_arrays(left, right):
    return max(np.asarray(left).dtype, np.asarray(right).dtype)  # ok: TL206


def of_something_like_an_array(left, right):
    left = left if isinstance(left, np.ndarray) else np.array(left)
    return left.dtype < right.dtype  # ok: TL206


def of_an_array(x: np.ndarray, y: np.ndarray):
    return x.dtype < y.dtype  # ok: TL206


def back_on_the_host(x: torch.Tensor, y: torch.Tensor):
    return x.numpy().dtype < y.numpy().dtype  # ok: TL206


def of_settings(config, args):
    return config.dtype < args.dtype  # ok: TL206


def of_columns(column: "Column", other: "Column"):
    return column.dtype < other.dtype  # ok: TL206


def of_one_side(x, y):
    return x.dtype < y  # ok: TL206  both are unknown


def mixed(x: np.ndarray, y: torch.Tensor):
    return x.dtype < y.dtype  # expect: TL206


class Column:
    def __init__(self, dtype: int):
        self.dtype = dtype


def demonstrate():
    small, large = np.zeros(1, np.float32), np.zeros(1)
    assert of_arrays(small, large) == np.float64
    assert of_something_like_an_array(small, large) and of_an_array(small, large) and of_one_side(small, np.float64)
    assert back_on_the_host(torch.zeros(1), torch.zeros(1).double())
    assert of_settings(Column(1), Column(2)) and of_columns(Column(1), Column(2))
    try:
        mixed(small, torch.zeros(1))
    except TypeError as error:
        assert "not supported between instances" in str(error)
    else:
        raise AssertionError("dtypes of two libraries were ordered")
