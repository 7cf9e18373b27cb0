"""What float() gave and sum() is asked of is a tensor: a count of floats is no index."""
import torch


def last_step(out, observed):
    seen = observed.float()  # expect: TL201
    last = seen.sum(dim=1) - 1
    return out[torch.arange(len(out)), last]


def last_whole_step(out, observed):
    seen = observed.float()  # ok: TL201
    out = out * seen[..., None]
    last = observed.sum(dim=1) - 1
    return out[torch.arange(len(out)), last]


def last_step_of_weights(out, observed):
    weight = observed.float().sum(dim=1)  # ok: TL201
    return out[torch.arange(len(out)), weight.long() - 1] / weight[:, None]


def demonstrate():
    # By their names, so that the functions are judged as if nobody called them.
    run = globals()
    batch = torch.rand(2, 3, 4), torch.tensor([[1, 1, 0], [1, 0, 0]])
    try:
        run["last_step"](*batch)
        raise AssertionError("a floating index was accepted")
    except IndexError:
        pass
    assert run["last_whole_step"](*batch).shape == run["last_step_of_weights"](*batch).shape == (2, 4)
