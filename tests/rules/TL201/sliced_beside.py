"""What takes an index beside a slice is a tensor or an array, wherever it came from; a dict takes no slice."""

import os
from fractions import Fraction

import torch

PATH = os.environ.get("CODES", "codes.pt")
LENGTH = 4
if os.path.exists(PATH):
    codes = torch.load(PATH)
else:
    codes = torch.distributions.Normal(0, 1).sample((8, 2))


class Curve:
    """Evaluated at any point."""

    def __getitem__(self, at):
        return at[0] * 2


curve = Curve()
scores = {Fraction(1, 2): 1.0}


def rows_of(batch):
    chosen = torch.tensor(batch)
    rows = chosen / LENGTH  # expect: TL201
    return codes[rows, :]


def whole_rows_of(batch):
    chosen = torch.tensor(batch)
    rows = chosen // LENGTH
    first = codes[rows, :]  # ok: TL201
    masked = codes[chosen / LENGTH > 0.5, :]  # ok: TL201
    return first, masked


def of_an_object(batch):
    return curve[torch.tensor(batch) / LENGTH, :]  # ok: TL201  an object of the project takes what it likes


def of_numbers(batch, total):
    return scores[Fraction(batch, total)], codes[int(total / batch), :]  # ok: TL201


def demonstrate():
    batch = list(range(8))
    try:
        rows_of(batch)
    except IndexError as error:
        assert "long, int, byte or bool" in str(error), error
    else:
        raise AssertionError
    first, masked = whole_rows_of(batch)
    assert first.shape == (8, 2) and masked.shape[1] == 2
    assert of_an_object(batch).shape == (8,) and of_numbers(1, 2)[0] == 1.0
