"""A helper hands the argument on; parts of an argument belong to the caller as well."""

import torch


def as_float(x):
    return x.float()


def as_copy(x):
    return x.float().clone()


def by_helper(x):
    y = as_float(x)
    y += 1  # expect: TL308
    return y


def by_copying_helper(x):
    y = as_copy(x)
    y += 1  # ok: TL308
    return y


def of_sample(sample):
    image = sample["image"].float()
    image.sub_(0.5)  # expect: TL308
    return image


def of_pair(pair):
    image, label = pair
    image = image.to(torch.float32)
    image[label] = 0  # expect: TL308
    return image


def training_step(batch):
    image = batch["image"].float()
    image.sub_(0.5)  # ok: TL308  the batch is used up here
    return image


def keeps_dict(inputs, device):
    inputs = inputs.to(device)
    inputs["labels"] = inputs["ids"]  # ok: TL308  a dict of tensors
    return inputs


def of_module(model, device):
    model = model.to(device)
    model.requires_grad_(False)  # ok: TL308
    return model


def of_loop(tensors: list[torch.Tensor]):
    for tensor in tensors:
        tensor = tensor.float()
        tensor.mul_(2)  # expect: TL308


def of_batches(loader):
    total = 0
    for images in loader:
        images = images.float()
        images -= images.mean()  # ok: TL308  a loader makes new batches
        total += images.sum()
    return total


def into_out(x, out):
    out.float().copy_(x)  # ok: TL308  it is there to write


def demonstrate():
    def is_kept(call, x):
        before = x.clone()
        call(x)
        return torch.equal(before, x)

    x = torch.rand(3)
    for call in (by_helper, lambda t: of_sample({"image": t}), lambda t: of_pair((t, 0)), lambda t: of_loop([t])):
        assert not is_kept(call, x)
    assert is_kept(by_copying_helper, x)
    keeps_dict_of = {"ids": 1, "labels": 2}
    assert keeps_dict_of
    of_module(torch.nn.Linear(1, 1), "cpu"), training_step({"image": x}), of_batches([x]), into_out(x, x.clone())
