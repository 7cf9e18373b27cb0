"""The fields of a record, the columns of samples, a cast by numpy or by as_tensor(): each takes everything along."""

from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
import torch
from torch.utils._pytree import tree_map_only


@dataclass
class Record:
    ids: torch.Tensor
    image: torch.Tensor


class Pair(NamedTuple):
    ids: torch.Tensor
    image: torch.Tensor


def by_fields(record):
    return replace(record, **{one.name: getattr(record, one.name).half() for one in fields(record)})  # expect: TL301


def by_floating_fields(record):
    kept = {one.name: getattr(record, one.name) for one in fields(record)}
    return replace(record, **{name: v.half() if v.is_floating_point() else v for name, v in kept.items()})  # ok: TL301


def by_one_field(record):
    return replace(record, image=record.image.half())  # ok: TL301


def by_names(pair):
    return Pair(*(getattr(pair, name).bfloat16() for name in pair._fields))  # expect: TL301


def by_columns(samples):
    return tuple(torch.stack(column).half() for column in zip(*samples))  # expect: TL301


def by_column_and_name(samples):
    return {name: torch.stack([one[name] for one in samples]).half() for name in samples[0]}  # expect: TL301


def by_image_column(samples):
    ids, images = zip(*samples)
    return torch.stack(ids), torch.stack(images).half()  # ok: TL301


def by_numpy(state_dict):
    return {name: value.cpu().numpy().astype(np.float16) for name, value in state_dict.items()}  # expect: TL301


def by_numpy_wide(state_dict):
    return {name: value.cpu().numpy().astype(np.float64) for name, value in state_dict.items()}  # ok: TL301


def by_as_tensor(batch):
    return {name: torch.as_tensor(value, dtype=torch.float16) for name, value in batch.items()}  # expect: TL301


def by_as_tensor_alone(batch):
    return {name: torch.as_tensor(value) for name, value in batch.items()}  # ok: TL301


def by_tree(batch):
    return tree_map_only(torch.Tensor, lambda one: one.half(), batch)  # expect: TL301


def by_tree_where_floating(batch):
    return tree_map_only(torch.Tensor, lambda one: one.half() if one.is_floating_point() else one, batch)  # ok: TL301


def by_copied_dict(state_dict):
    half = {**state_dict}
    for name in half:
        half[name] = half[name].half()  # expect: TL301
    return half


def by_file(file):
    return {name: file.get_tensor(name).to(torch.bfloat16) for name in file.keys()}  # expect: TL301


def by_file_and_names(file, names):
    return {name: file.get_tensor(name).to(torch.bfloat16) for name in names}  # ok: TL301  chosen


def by_method(batch):
    return batch.apply(lambda one: one.half())  # expect: TL301


def by_method_where_floating(batch):
    return batch.apply(lambda one: one.half() if one.is_floating_point() else one)  # ok: TL301


def of_optimizer(optimizer):
    for state in optimizer.state.values():
        for name, value in state.items():
            if torch.is_tensor(value):
                state[name] = value.bfloat16()  # expect: TL301  steps above 256 are rounded


def demonstrate():
    ids, image = torch.tensor([4097]), torch.ones(1)
    record, pair, batch = Record(ids, image), Pair(ids, image), {"ids": ids, "image": image}
    for made in (by_fields(record).ids, by_names(pair).ids, by_columns([pair])[0], by_column_and_name([batch])["ids"]):
        assert int(made.reshape(-1)[0]) != 4097
    assert int(by_numpy(batch)["ids"][0]) != 4097 == int(by_numpy_wide(batch)["ids"][0])
    assert int(by_as_tensor(batch)["ids"][0]) != 4097 == int(by_as_tensor_alone(batch)["ids"][0])
    assert int(by_tree(batch)["ids"][0]) != 4097 == int(by_tree_where_floating(batch)["ids"][0])
    class Held(dict):
        def apply(self, function):
            return {name: function(value) for name, value in self.items()}

        def get_tensor(self, name):
            return self[name]

    held = Held(batch)
    assert int(by_copied_dict(batch)["ids"][0]) != 4097 != int(by_file(held)["ids"][0])
    assert int(by_method(held)["ids"][0]) != 4097 == int(by_method_where_floating(held)["ids"][0])
    by_file_and_names(held, ["image"])
    weight = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.Adam([weight])
    weight.sum().backward()
    optimizer.step()
    of_optimizer(optimizer)
    assert optimizer.state[weight]["step"].dtype is torch.bfloat16
    assert by_floating_fields(record).ids is ids and by_one_field(record).ids is ids
    assert by_image_column([pair])[1].dtype is torch.float16
