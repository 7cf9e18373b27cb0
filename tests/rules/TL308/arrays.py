"""from_numpy and as_tensor share the memory of an array."""

import numpy as np
import torch


def filled(frame: np.ndarray):
    tensor = torch.from_numpy(frame)
    tensor[tensor.isnan()] = 0.0  # expect: TL308
    return tensor


def scaled(frame, scale):
    tensor = torch.from_numpy(frame).float()
    tensor *= scale  # expect: TL308
    return tensor


def or_array(boxes, scale):
    if isinstance(boxes, np.ndarray):
        boxes = torch.from_numpy(boxes)
    boxes *= scale  # expect: TL308
    return boxes


def copied(frame):
    tensor = torch.from_numpy(frame.copy())
    tensor *= 2  # ok: TL308
    return tensor


def by_tensor(frame):
    return torch.tensor(frame).mul_(2)  # ok: TL308


def in_plain_order(frame):
    frame = np.ascontiguousarray(frame.transpose((2, 0, 1)))
    return torch.from_numpy(frame).mul_(2)  # ok: TL308


def of_list(rows: list[float]):
    return torch.as_tensor(rows).mul_(2)  # ok: TL308  a list is copied


def of_array_made_here(count):
    return torch.from_numpy(np.zeros(count)).add_(1)  # ok: TL308


def demonstrate():
    frame = np.array([1.0, np.nan], dtype=np.float32)
    filled(frame)
    assert not np.isnan(frame).any()
    scaled(frame, 2)
    or_array(frame, 2)
    assert frame[0] == 4
    copied(frame), by_tensor(frame), of_list([1.0]), of_array_made_here(2)
    assert frame[0] == 4
    cube = np.ones((2, 2, 2))
    in_plain_order(cube)
    assert (cube == 1).all()
