"""A true division of integers is floating; // and rounding_mode="floor" are not."""
import torch


def beams(history, flat, vocabulary: int):
    pick = flat.topk(2, dim=-1)[1]
    source = pick / vocabulary  # expect: TL201
    return history.gather(1, source)


def beams_by_function(history, pick: torch.Tensor, vocabulary: int):
    half = torch.div(torch.arange(4), 2)  # expect: TL201
    return history[half]


def beams_floored(history, flat, vocabulary: int):
    scores, pick = flat.topk(2, dim=-1)
    source = torch.div(pick, vocabulary, rounding_mode="floor")  # ok: TL201
    same = pick // vocabulary  # ok: TL201
    weight = scores / vocabulary  # ok: TL201  no index
    return history.gather(1, source) + history.gather(1, same), weight


def halves(values: list[int], x: torch.Tensor):
    half = int(len(values) / 2)  # ok: TL201
    return values[:half], x[:, : x.shape[1] // 2], x[round(x.shape[0] / 3)]


def demonstrate():
    history, flat = torch.arange(6).reshape(2, 3), torch.rand(2, 15)
    for call in (lambda: beams(history, flat, 5), lambda: beams_by_function(history, history, 5)):
        try:
            call()
            raise AssertionError("floating indices were accepted")
        except (IndexError, RuntimeError):
            pass
    assert beams_floored(history, flat, 5)[0].shape == (2, 2)
    assert len(halves([1, 2, 3], history)[0]) == 1
