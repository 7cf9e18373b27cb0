"""What a list or dict holds is known by what was put in, key by key where the dict is written out."""
import torch


def in_a_list(x):
    pair = [torch.zeros(2), torch.ones(2)]  # expect: TL201
    return x[pair[0]]


def in_a_tuple(x):
    ids, weights = torch.arange(2), torch.ones(2)  # ok: TL201
    return x[ids] * weights


def under_a_key(x):
    batch = {"ids": torch.zeros(2), "x": x}  # expect: TL201
    return x[batch["ids"]]


def under_another_key(x):
    batch = {"ids": torch.arange(2), "weights": torch.zeros(2)}  # ok: TL201
    return x[batch["ids"]] * batch["weights"]


def put_in_later(x):
    batch = {"x": x}
    batch["ids"] = torch.zeros(2)  # expect: TL201
    return x[batch["ids"]]


def made_whole_under_its_key(x):
    batch = {"ids": torch.zeros(2), "x": x}  # ok: TL201
    batch["ids"] = batch["ids"].long()
    return x[batch["ids"]]


def made_whole_alone(x):
    batch = {"ids": torch.zeros(2)}  # ok: TL201
    batch["ids"] = batch["ids"].long()
    return x[batch["ids"]]


def made_whole_by_its_keys(x):
    batch = {"ids": torch.zeros(2), "more": torch.zeros(2)}  # ok: TL201
    for key in batch:
        batch[key] = batch[key].long()
    return x[batch["ids"]]


def make_whole(batch):
    batch["ids"] = batch["ids"].long()


def made_whole_by_a_helper(x):
    batch = {"ids": torch.zeros(2), "x": x}  # ok: TL201
    make_whole(batch)
    return x[batch["ids"]]


def grown(x, groups):
    kept = [torch.tensor([])]  # todo: TL201  a list of floats and integers has no dtype of its own
    for group in groups:
        kept.append(group.nonzero()[:, 0])
    return x[torch.cat(kept)]


def grown_right(x, groups):
    kept = [torch.tensor([], dtype=torch.long)]  # ok: TL201
    for group in groups:
        kept.append(group.nonzero()[:, 0])
    return x[torch.cat(kept)]


def as_indices(x: torch.Tensor):
    x.index_put_((torch.zeros(2),), torch.ones(2))  # expect: TL201
    return x


def as_whole_indices(x: torch.Tensor):
    x.index_put_((torch.arange(2),), torch.ones(2))  # ok: TL201
    return x


def demonstrate():
    x = torch.ones(4)
    for call in (in_a_list, under_a_key, put_in_later, lambda x: grown(x, [x]), as_indices):
        try:
            call(x)
        except IndexError:
            continue
        raise AssertionError("floating indices were accepted")
    for call in (in_a_tuple, under_another_key, made_whole_under_its_key, made_whole_alone, made_whole_by_its_keys):
        assert call(x).shape == (2,)
    assert made_whole_by_a_helper(x).shape == (2,)
    assert grown_right(x, [x]).shape == (4,)
    assert as_whole_indices(x).shape == (4,)
