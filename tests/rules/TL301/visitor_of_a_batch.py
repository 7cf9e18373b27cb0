"""The cast stands in a function that something else calls for each tensor of a batch: ids are rounded, or refused."""
import torch
from torch import nn
from torch.utils._pytree import tree_map

LOW = torch.float16


def walk(part, visit):
    if torch.is_tensor(part):
        return visit(part)
    if isinstance(part, dict):
        return {key: walk(value, visit) for key, value in part.items()}
    if isinstance(part, (list, tuple)):
        return type(part)(walk(value, visit) for value in part)
    return part


def walk_floats(part, visit):
    if torch.is_tensor(part):
        return visit(part) if part.is_floating_point() else part
    if isinstance(part, dict):
        return {key: walk_floats(value, visit) for key, value in part.items()}
    return part


def lowered(tensor):
    return tensor.half()  # expect: TL301


def lowered_where_floating(tensor):
    if tensor.is_floating_point():
        return tensor.half()  # ok: TL301
    return tensor


def by_lambda(batch):
    return walk(batch, lambda t: t.to(LOW))  # expect: TL301


def by_keyword(batch):
    return walk(batch, visit=lambda t: t.bfloat16())  # expect: TL301


def by_name(batch):
    return walk(batch, lowered)


def by_nested(batch):
    def cast(tensor):
        return tensor.to(dtype=torch.bfloat16)  # expect: TL301

    return tree_map(cast, batch)


def by_sort(batch):
    return walk(batch, lambda t: t.to(LOW) if t.is_floating_point() else t)  # ok: TL301


def by_tested_name(batch):
    return walk(batch, lowered_where_floating)


def where_the_walker_tests(batch):
    return walk_floats(batch, lambda t: t.to(LOW))  # ok: TL301


def widened(batch):
    return tree_map(lambda t: t.float(), batch)  # ok: TL301  float32 holds ids up to 16 million


def of_images(images):
    return tree_map(lambda t: t.half(), images)  # ok: TL301  no batch of everything


def moved(batch):
    return walk(batch, lambda t: t.to("cpu"))  # ok: TL301


def once(batch, rate):
    return apply_once(batch, lambda t: t.half() * rate)  # ok: TL301  nothing says what it is called for


def apply_once(batch, act):
    return act(batch["x"])


def by_chosen_keys(batch):
    out = dict(batch)
    for name in ("x", "y"):
        out[name] = [value.half() for value in batch[name]]  # ok: TL301  the keys are chosen
    return out


def demonstrate():
    ids = torch.tensor([2049, 4097])
    for make in (by_lambda, by_keyword, by_name, by_nested):
        made = make({"ids": ids, "x": [torch.ones(2)]})["ids"]
        assert made.long().tolist() != ids.tolist()
        try:
            nn.Embedding(5000, 2)(made)
            raise AssertionError("floating ids were accepted")
        except RuntimeError as error:
            assert "indices" in str(error)
    for make in (by_sort, by_tested_name, where_the_walker_tests, moved):
        assert make({"ids": ids, "x": torch.ones(2)})["ids"] is ids
