"""A write into the argument matters where a caller reads the value again: one that made it for the call does not."""
import numpy as np
import torch
from torch import nn


def boxes_of(net: nn.Module, x: torch.Tensor) -> torch.Tensor:
    return net(x).detach()


def stretched(boxes: torch.Tensor, scale: float) -> np.ndarray:
    boxes = boxes.cpu().numpy()
    boxes *= scale  # ok: TL308  both callers made it and read only the result
    return boxes


def detected(net: nn.Module, images: list[torch.Tensor]) -> list[np.ndarray]:
    found = []
    for image in images:
        boxes = boxes_of(net, image)
        boxes = stretched(boxes, 2.0)
        found.append(boxes)
    return found


def of_batches(loader) -> list[np.ndarray]:
    return [stretched(batch["boxes"], 2.0) for batch in loader]


def coloured(images: torch.Tensor, scale: float) -> np.ndarray:
    images = images.cpu().numpy()
    images *= scale  # ok: TL308  a list of indices copies
    return images


def drawn(images: torch.Tensor) -> list[np.ndarray]:
    found = [coloured(images[[index]].cpu(), 2.0) for index in range(len(images))]
    return [*found, coloured(images[images > 0], 2.0), images.numpy()]


def darkened(images: torch.Tensor, scale: float) -> np.ndarray:
    images = images.cpu().numpy()
    images *= scale  # expect: TL308  a single index does not
    return images


def drawn_dark(images: torch.Tensor) -> list[np.ndarray]:
    return [*(darkened(images[index].cpu(), 0.5) for index in range(len(images))), images.numpy()]


def mirrored(boxes: torch.Tensor) -> torch.Tensor:
    boxes = boxes.float()
    boxes *= -1  # expect: TL308
    return boxes


def both_sides(net: nn.Module, x: torch.Tensor) -> torch.Tensor:
    boxes = boxes_of(net, x)
    return torch.cat([mirrored(boxes), boxes])


def raised(boxes: torch.Tensor) -> torch.Tensor:
    boxes = boxes.float()
    boxes += 1  # expect: TL308
    return boxes


def in_rounds(net: nn.Module, x: torch.Tensor, count: int) -> list[torch.Tensor]:
    boxes = boxes_of(net, x)
    return [raised(boxes) for _ in range(count)]


def halved(boxes: torch.Tensor) -> torch.Tensor:
    boxes = boxes.float()
    boxes /= 2  # expect: TL308
    return boxes


def remembered(net: nn.Module, x: torch.Tensor, history: list[torch.Tensor]) -> torch.Tensor:
    boxes = boxes_of(net, x)
    history.append(boxes)
    return halved(boxes)


class Target:
    def __init__(self, boxes: np.ndarray):
        boxes = torch.as_tensor(boxes, dtype=torch.float32)
        boxes[:, 2:] += boxes[:, :2]  # expect: TL308
        self.boxes = boxes


class OwnTarget:
    def __init__(self, boxes: np.ndarray):
        boxes = torch.as_tensor(boxes, dtype=torch.float32)
        boxes[:, 2:] += boxes[:, :2]  # ok: TL308  made for the call
        self.boxes = boxes


class CopiedTarget:
    def __init__(self, boxes: np.ndarray):
        boxes = torch.tensor(boxes, dtype=torch.float32)
        boxes[:, 2:] += boxes[:, :2]  # ok: TL308
        self.boxes = boxes


def targets(rows: list[list[float]]) -> OwnTarget:
    boxes = np.array(rows, dtype=np.float32)
    return OwnTarget(boxes)


class Weights(nn.Module):
    def __init__(self, weight: torch.Tensor):
        super().__init__()
        weight = weight.clone().float()
        weight /= weight.norm()  # ok: TL308
        self.weight = nn.Parameter(weight)


def demonstrate():
    net = nn.Identity()
    x = torch.ones(1, 4)
    assert (drawn(x.clone())[-1] == 1).all() and (drawn_dark(x.clone())[-1] == 0.5).all()
    assert (both_sides(net, x.clone()) == -1).all()
    assert (in_rounds(net, x.clone(), 3)[0] == 4).all()
    history = []
    remembered(net, x.clone(), history)
    assert (history[0] == 0.5).all()
    boxes = np.ones((1, 4), dtype=np.float32)
    assert Target(boxes).boxes[0, 2] == 2 and boxes[0, 2] == 2
    assert targets([[1.0, 1.0, 1.0, 1.0]]).boxes[0, 2] == 2
    assert (detected(net, [x.clone()])[0] == 2).all() and (of_batches([{"boxes": x.clone()}])[0] == 2).all()
