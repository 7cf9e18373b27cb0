"""A view that asks for all dimensions but one: that one has a single element, and has no place in memory."""

import torch


def one_step(heads, table):
    found = torch.bmm(heads, table)
    count, steps, width = found.shape
    return found.transpose(0, 1).view(1, count, width)  # ok: TL205  legal for one step, and of the wrong size for more


def joined(heads, table):
    found = torch.bmm(heads, table)
    count, steps, width = found.shape
    return found.transpose(1, 2).view(count, steps * width)  # expect: TL205


def demonstrate():
    assert one_step(torch.ones(4, 1, 3), torch.ones(4, 3, 3)).shape == (1, 4, 3)
    try:
        joined(torch.ones(4, 2, 3), torch.ones(4, 3, 3))
    except RuntimeError as error:
        assert "view" in str(error)
    else:
        raise AssertionError("torch took the view")


if __name__ == "__main__":
    demonstrate()
