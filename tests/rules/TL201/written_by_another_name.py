"""A dict whose items are replaced by another name than its own: by a nested function, or by a loop over a list of dicts."""

import torch


def filled_by_a_nested_function(values):
    batch = {"x": torch.zeros(3), "index": torch.zeros(2)}

    def fill():
        batch["index"] = torch.zeros(2, dtype=torch.long)

    fill()
    return values[batch["index"]]  # ok: TL201


def updated_by_a_nested_function(values):
    batch = {"x": torch.zeros(3), "index": torch.zeros(2)}

    def fill():
        batch.update(index=torch.zeros(2, dtype=torch.long))

    fill()
    return values[batch["index"]]  # ok: TL201


def rewritten_in_a_loop(values):
    first = {"x": torch.zeros(3), "index": torch.zeros(2)}
    second = {"x": torch.zeros(3), "index": torch.ones(2)}
    for one in (first, second):
        one["index"] = one["index"].long()
    return values[first["index"]] + values[second["index"]]  # ok: TL201


def only_read_elsewhere(values):
    batch = {"x": torch.zeros(3), "index": torch.zeros(2)}  # expect: TL201

    def shown():
        return batch["x"].sum()

    return values[batch["index"]] + shown()


def demo():
    values = torch.arange(3.0)
    assert filled_by_a_nested_function(values).tolist() == [0.0, 0.0]
    assert updated_by_a_nested_function(values).tolist() == [0.0, 0.0]
    assert rewritten_in_a_loop(values).tolist() == [1.0, 1.0]
    try:
        only_read_elsewhere(values)
    except IndexError as error:
        assert "must be" in str(error)
