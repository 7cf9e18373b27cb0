"""Every item of a batch is halved, labels among them."""
import torch
from torch.utils.data import DataLoader


def halve(loader: DataLoader):
    for batch in loader:
        yield {name: value.half() for name, value in batch.items()}  # expect: TL301


def halve_in_place(train_loader):
    for step, batch in enumerate(train_loader):
        for name in batch:
            batch[name] = batch[name].to("cpu").to(torch.bfloat16)  # expect: TL301
        yield batch


def halve_parts(batch):
    return tuple(part.to("cpu", torch.float16) for part in batch)  # expect: TL301


def halve_nested(data):
    if isinstance(data, torch.Tensor):
        return data.half()  # expect: TL301
    if isinstance(data, dict):
        return {name: halve_nested(value) for name, value in data.items()}
    return data


def halve_nested_floats(data):
    if isinstance(data, torch.Tensor) and data.dtype == torch.float32:
        return data.half()  # ok: TL301
    if isinstance(data, dict):
        return {name: halve_nested_floats(value) for name, value in data.items()}
    return data


def halve_floating(loader: DataLoader):
    for batch in loader:
        yield {n: v.half() if v.is_floating_point() else v for n, v in batch.items()}  # ok: TL301


def halve_images(loader: DataLoader):
    for batch in loader:
        batch["image"] = batch["image"].half()  # ok: TL301
        yield batch


def halve_named(batch):
    for name in ("image", "depth"):
        if name in batch:
            batch[name] = batch[name].half()  # ok: TL301  chosen by name
    return batch


def halve_tensor(images: torch.Tensor):
    return [image.half() for image in images]  # ok: TL301  parts of one tensor have one dtype


def halve_features(features):
    return [feature.half() for feature in features]  # ok: TL301  what a network gives is floating


def halve_rows(batch: torch.Tensor):
    return [row.half() for row in batch]  # ok: TL301  one tensor


def joined(batch):
    return torch.stack([row.half() for row in batch])  # ok: TL301  samples of one dtype


def widen(batch):
    return {name: value.float() for name, value in batch.items()}  # ok: TL301


def demonstrate():
    data = [{"image": torch.ones(2), "label": torch.tensor(4097)}]
    functions = ((halve, False), (halve_in_place, False), (halve_floating, True), (halve_images, True))
    for function, exact in functions:
        batch = next(iter(function(DataLoader(data))))
        assert (int(batch["label"]) == 4097) is exact
    for function, exact in ((halve_nested, False), (halve_nested_floats, True), (halve_named, True)):
        assert (int(function(dict(data[0]))["label"]) == 4097) is exact
    assert int(halve_parts((torch.ones(2), torch.tensor(4097)))[1]) != 4097
    rows = torch.ones(2, 2)
    halve_tensor(rows), halve_features([rows]), halve_rows(rows), joined(rows), widen({"x": rows})
