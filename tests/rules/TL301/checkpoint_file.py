"""A checkpoint is read from a file and halved value by value."""
import io

import torch


def convert(source, target):
    state = torch.load(source)
    for name, value in state.items():
        if not isinstance(value, torch.Tensor):
            raise TypeError(name)
        state[name] = value.to(torch.float16)  # expect: TL301
    torch.save(state, target)


def convert_nested(source, target):
    checkpoint = torch.load(source)
    checkpoint = {name: value.half() for name, value in checkpoint.items()}  # expect: TL301
    torch.save(checkpoint, target)


def convert_part(source, target):
    weights = torch.load(source)["model"]
    torch.save({name: value.half() for name, value in weights.items()}, target)  # expect: TL301


def convert_either(source, target):
    checkpoint = torch.load(source)
    weights = checkpoint["model"] if "model" in checkpoint else checkpoint
    torch.save({name: value.half() for name, value in weights.items()}, target)  # expect: TL301


def convert_by_old_name(source, target):
    state = torch.load(source)
    for name, value in state.items():
        state[name] = value.type(torch.HalfTensor)  # expect: TL301
    torch.save(state, target)


def convert_floating(source, target):
    state = torch.load(source)
    for name, value in state.items():
        if torch.is_tensor(value) and value.dtype in (torch.float32, torch.bfloat16):
            state[name] = value.to(torch.float16)  # ok: TL301
    torch.save(state, target)


def convert_weights(source, target):
    state = torch.load(source)
    for name in state:
        if name.endswith("weight"):
            state[name] = state[name].half()  # ok: TL301
    torch.save(state, target)


def restore(source, dtypes: dict):
    return {name: value.to(dtypes[name]) for name, value in torch.load(source).items()}  # ok: TL301  each its own


def follow(source, model):
    current = model.state_dict()
    return {name: value.to(current[name].dtype) for name, value in torch.load(source).items()}  # ok: TL301


def move(source, device: str):
    return {name: value.to(device) for name, value in torch.load(source).items()}  # ok: TL301


def demonstrate():
    for function, exact in (
        (convert, False), (convert_nested, False), (convert_either, False), (convert_by_old_name, False),
        (convert_floating, True),
    ):
        source, target = io.BytesIO(), io.BytesIO()
        torch.save({"count": torch.tensor(4097), "weight": torch.ones(2)}, source)
        source.seek(0)
        function(source, target)
        target.seek(0)
        assert (int(torch.load(target)["count"]) == 4097) is exact, function
