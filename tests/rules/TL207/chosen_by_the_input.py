"""A device of two that a test of the input chose is the device of the input, by its kind."""

import torch


def padded(label, count):
    device = "cuda" if label.is_cuda else "cpu"
    rest = torch.ones(count - label.size(0), dtype=torch.long, device=device) * label[-1:]  # ok: TL207
    return torch.cat([label, rest])


def padded_there(label, count):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    rest = torch.ones(count - label.size(0), dtype=torch.long, device=device)  # note: TL207
    return torch.cat([label, rest])


def demonstrate():
    assert padded(torch.ones(2, dtype=torch.long), 3).tolist() == [1, 1, 1]


if __name__ == "__main__":
    demonstrate()
