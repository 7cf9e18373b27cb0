"""torch.Tensor(list) is floating whatever the list holds; torch.tensor(list) is what the list is."""
import torch


def rows_of(state: torch.Tensor, seen: list[int]):
    rows = torch.Tensor(seen)  # expect: TL201
    out = state.clone()
    out[rows] = 0.0
    return out[rows]


def rows_by_type(state, seen: list[int]):
    return state[torch.FloatTensor(seen)]  # expect: TL201


def rows_of_integers(state, seen: list[int]):
    rows = torch.tensor(seen)  # ok: TL201
    short = torch.IntTensor(seen)  # ok: TL201  # note: TL202
    long = torch.LongTensor(seen)  # ok: TL201  # note: TL202
    return state[rows] + state[short] + state[long]


def rows_of_tensor(state, seen: torch.Tensor):
    rows = torch.Tensor(seen)  # ok: TL201  of a tensor it keeps the dtype  # note: TL202
    return state[rows]


def rows_never_used(state, seen: list[int]):
    rows = torch.Tensor(seen)  # ok: TL201  no index  # note: TL202
    return state[: len(rows)] + rows.mean()


def demonstrate():
    state = torch.ones(3, 2)
    for function in (rows_of, rows_by_type):
        try:
            function(state, [0, 2])
            raise AssertionError("floating indices were accepted")
        except IndexError as error:
            assert "tensors used as indices" in str(error)
    assert rows_of_integers(state, [0, 2]).shape == (2, 2)
    assert rows_of_tensor(state, torch.tensor([0, 2])).shape == (2, 2)
    assert rows_never_used(state, [0, 2]).shape == (2, 2)
