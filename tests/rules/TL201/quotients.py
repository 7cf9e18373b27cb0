"""`/` makes a float of anything: of tensors, of sizes, and of what an argument brings."""
import math

import torch


def of_sizes(x: torch.Tensor):
    half = x.shape[1] / 2  # expect: TL201
    return x[:, :half]


def in_the_subscript(x: torch.Tensor):
    return x[:, x.size(1) / 2]  # expect: TL201


def written(x: torch.Tensor):
    x[len(x) / 2] = 0  # expect: TL201
    return x


def of_arguments(history: torch.Tensor, best, width):
    row = best / width  # expect: TL201
    return history.index_select(0, row)


def rounded(history: torch.Tensor, best, width):
    row = torch.floor(best / width)  # expect: TL201
    return history[row]


def to_a_helper(history: torch.Tensor, best: torch.Tensor):
    return Rows.pick(history, best / 2)  # expect: TL201


class Rows:
    @staticmethod
    def pick(table, rows):
        return table[rows]

    def pick_more(self, table, rows):
        return table.index_select(0, rows)


def to_a_method(history: torch.Tensor, best: torch.Tensor):
    rows = Rows()
    return rows.pick_more(history, best / 2)  # expect: TL201


def whole(x: torch.Tensor, best, width):
    half = x.shape[1] // 2
    first = x[:, :half]  # ok: TL201
    second = x[:, int(x.shape[1] / 2)]  # ok: TL201
    third = x[math.floor(len(x) / 2)]  # ok: TL201
    fourth = x.index_select(0, (best / width).long())  # ok: TL201
    fifth = x[torch.div(best, width, rounding_mode="floor")]  # ok: TL201
    sixth = Rows.pick(x, best // width)  # ok: TL201
    seventh = Rows().pick_more(x, (best / width).int())  # ok: TL201
    return [first, second, third, fourth, fifth, sixth, seventh]


def key_of_a_dict(table, total, count):
    return table[total / count]  # ok: TL201  it may be a dict


def value_of_a_slice(x: torch.Tensor):
    return x[:, : round(x.shape[1] / 2)] / 2  # ok: TL201


def demonstrate():
    x, best = torch.rand(4, 4), torch.tensor([0, 2])
    for call in (
        lambda: of_sizes(x),
        lambda: in_the_subscript(x),
        lambda: written(x),
        lambda: of_arguments(x, best, 2),
        lambda: rounded(x, best, 2),
        lambda: to_a_helper(x, best),
        lambda: to_a_method(x, best),
    ):
        try:
            call()
        except (IndexError, RuntimeError, TypeError):
            continue
        raise AssertionError("floating indices were accepted")
    assert len(whole(x, best, 2)) == 7
    assert key_of_a_dict({0.5: 1}, 1, 2) == 1
    assert value_of_a_slice(x).shape == (4, 2)
