"""Every item of a batch is halved, labels among them."""
import torch
from torch.utils.data import DataLoader


def halve(loader: DataLoader):
    for batch in loader:
        yield {name: value.half() for name, value in batch.items()}  # todo: TL301  batches are not followed


def halve_floating(loader: DataLoader):
    for batch in loader:
        yield {n: v.half() if v.is_floating_point() else v for n, v in batch.items()}  # ok: TL301


def halve_images(loader: DataLoader):
    for batch in loader:
        batch["image"] = batch["image"].half()  # ok: TL301
        yield batch


def halve_tensor(images: torch.Tensor):
    return [image.half() for image in images]  # ok: TL301  parts of one tensor have one dtype


def demonstrate():
    data = [{"image": torch.ones(2), "label": torch.tensor(4097)}]
    for function, exact in ((halve, False), (halve_floating, True), (halve_images, True)):
        batch = next(iter(function(DataLoader(data))))
        assert (int(batch["label"]) == 4097) is exact
