"""The dtype of the cast comes out of a table, from a default or an attribute: some of them are half, and every value takes it."""

import itertools

import torch

KINDS = {"half": torch.float16, "single": torch.float32}
WIDE = {"single": torch.float32, "double": torch.float64}


def by_table(parts, kind):
    whole = {}
    for name, value in itertools.chain.from_iterable(part.items() for part in parts):
        if name in whole:
            raise KeyError(name)
        whole[name] = value.to(KINDS[kind])  # expect: TL301
    return whole


def by_default(model, dtype=torch.bfloat16):
    return {name: value.detach().cpu().to(dtype) for name, value in model.state_dict().items()}  # expect: TL301


class Exported:
    def __init__(self, dtype=torch.float16):
        self.dtype = dtype

    def of(self, state_dict):
        return {name: value.to(dtype=self.dtype) for name, value in state_dict.items()}  # expect: TL301

    def of_floats(self, state_dict):
        keeps = {torch.int64, torch.bool}
        return {n: v if v.dtype in keeps else v.to(dtype=self.dtype) for n, v in state_dict.items()}  # ok: TL301


class Placed:
    def __init__(self, device, dtype):
        self.device, self.dtype = device, dtype

    def ready(self, batch):
        return {name: value.to(self.device, self.dtype) for name, value in batch.items()}  # expect: TL301

    def ready_images(self, batch):
        batch["image"] = batch["image"].to(self.device, self.dtype)  # ok: TL301
        return batch

    def ready_as(self, batch, example):
        return {name: value.to(example.dtype) for name, value in batch.items()}  # ok: TL301  what the example is


def lowered(part, dtype):
    if isinstance(part, dict):
        return {name: lowered(value, dtype) for name, value in part.items()}
    if isinstance(part, list):
        return [lowered(value, dtype) for value in part]
    return part.to(dtype)  # expect: TL301


def restored(part, dtype):
    if isinstance(part, list):
        return [restored(value, dtype) for value in part]
    return part.to(dtype=dtype, copy=True)  # ok: TL301  each entry has a dtype of its own


def all_restored(state_dict, dtypes):
    return {name: restored(value, dtypes[name]) for name, value in state_dict.items()}


def by_wide_table(parts, kind):
    whole = {}
    for name, value in itertools.chain.from_iterable(part.items() for part in parts):
        whole[name] = value.to(WIDE[kind])  # ok: TL301  float32 holds the numbers
    return whole


def by_sort(parts, kind):
    whole = {}
    for name, value in itertools.chain.from_iterable(part.items() for part in parts):
        target = KINDS[kind] if value.is_floating_point() else value.dtype
        whole[name] = value.to(target)  # ok: TL301
    return whole


def by_each(state_dict, dtypes):
    return {name: value.to(dtypes[name]) for name, value in state_dict.items()}  # ok: TL301


def of_names(state_dict, names, dtype=torch.float16):
    for name in names:
        state_dict[name] = state_dict[name].to(dtype)  # ok: TL301  chosen
    return state_dict


def demonstrate():
    from torch import nn

    state = {"count": torch.tensor(4097), "weight": torch.ones(2)}
    assert int(by_table([state], "half")["count"]) != 4097 == int(by_table([state], "single")["count"])
    assert int(Exported().of(state)["count"]) != 4097 == int(Exported().of_floats(state)["count"])
    assert by_default(nn.BatchNorm1d(1))["num_batches_tracked"].dtype is torch.bfloat16
    assert int(by_sort([state], "half")["count"]) == int(by_wide_table([state], "double")["count"]) == 4097
    placed = Placed("cpu", torch.float16)
    assert placed.ready(state)["count"].dtype is placed.ready_images({"image": torch.ones(1)})["image"].dtype
    placed.ready_as(state, state["count"])
    assert lowered({"count": [state["count"]]}, torch.half)["count"][0].dtype is torch.half
    assert int(all_restored({"count": [state["count"]]}, {"count": torch.int64})["count"][0]) == 4097
    by_each(state, {"count": torch.int64, "weight": torch.half}), of_names(dict(state), ["weight"])
