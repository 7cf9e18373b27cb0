"""Whatever writes into the weights between two passes of a region: the second pass uses the casts of the first."""
import torch
from torch import nn

BF16 = {"device_type": "cpu", "dtype": torch.bfloat16}


def stepped(model, optimizer, x):
    with torch.autocast(**BF16):
        first = model(x)
        first.square().mean().backward()  # note: TL402
        optimizer.step()  # expect: TL408
        return first, model(x)


def loaded(model, state, x):
    with torch.autocast(**BF16):
        first = model(x)
        model.load_state_dict(state)  # expect: TL408
        return first, model(x)


def copied(model, other, x):
    with torch.autocast(**BF16):
        first = model(x)
        with torch.no_grad():
            for p, q in zip(model.parameters(), other.parameters()):
                p.copy_(q)  # expect: TL408
            second = model(x)
    return first, second


def rebound(model, other, x):
    with torch.autocast(**BF16):
        first = model(x)
        for p, q in zip(model.parameters(), other.parameters()):
            p.data = q.data  # expect: TL408
        return first, model(x)


def averaged(model, other, x):
    with torch.autocast(**BF16), torch.no_grad():
        first = model(x)
        for p, q in zip(model.parameters(), other.parameters()):  # note: TL117
            p.lerp_(q, 0.5)  # expect: TL408
        return first, model(x)


def from_a_vector(model, vector, x):
    with torch.autocast(**BF16):
        first = model(x)
        nn.utils.vector_to_parameters(vector, model.parameters())  # expect: TL408
        return first, model(x)


def clipped(critic, optimizer, batches):
    outputs = []
    with torch.autocast(**BF16), torch.no_grad():
        for batch in batches:
            for p in critic.parameters():
                p.data.clamp_(-0.01, 0.01)  # expect: TL408
            outputs.append(critic(batch))
    return outputs


def replaced(model, other, x):
    with torch.autocast(**BF16):
        first = model(x)
        model.weight = nn.Parameter(other.weight.detach())  # ok: TL408  another Parameter has another cast
        model.bias = nn.Parameter(other.bias.detach())
        return first, model(x)


def assigned(model, state, x):
    with torch.autocast(**BF16):
        first = model(x)
        model.load_state_dict(state, assign=True)  # ok: TL408
        return first, model(x)


def of_the_other(model, other, x):
    with torch.autocast(**BF16):
        first = model(x)
        for p, q in zip(model.parameters(), other.parameters()):
            q.data.copy_(p.data)  # ok: TL408  the other model has not run
        return first, other(x)


def cleared(model, state, x):
    with torch.autocast(**BF16):
        first = model(x)
        model.load_state_dict(state)  # ok: TL408
        torch.clear_autocast_cache()
        return first, model(x)


def without_cache(model, state, x):
    with torch.autocast(**BF16, cache_enabled=False):
        first = model(x)
        model.load_state_dict(state)  # ok: TL408
        return first, model(x)


@torch.inference_mode()
def compared(model, state, x):
    with torch.autocast(**BF16):
        first = model(x)
        model.load_state_dict(state)  # ok: TL408  nothing is kept in inference mode
        return first, model(x)


def on_an_island(model, state, x):
    with torch.autocast(**BF16):
        with torch.autocast("cpu", enabled=False):
            first = model(x)
            model.load_state_dict(state)  # ok: TL408  nothing is cast
            return first, model(x)


def in_regions_of_their_own(model, state, x):
    with torch.autocast(**BF16):
        first = model(x)
    model.load_state_dict(state)  # ok: TL408
    with torch.autocast(**BF16):
        return first, model(x)


def in_inner_regions(model, state, x):
    with torch.autocast("cpu", enabled=False):
        with torch.autocast(**BF16):
            first = model(x)
        model.load_state_dict(state)  # expect: TL408
        with torch.autocast(**BF16):
            return first, model(x)


def demonstrate():
    def is_stale(run, *given):
        torch.manual_seed(0)
        model, other = nn.Linear(4, 2), nn.Linear(4, 2)
        kinds = {"state": other.state_dict(), "other": other, "optimizer": torch.optim.SGD(model.parameters(), lr=9.0)}
        kinds["vector"] = nn.utils.parameters_to_vector(other.parameters())
        first, second = run(model, *(kinds[one] for one in given), torch.randn(3, 4))
        return torch.equal(first, second)

    assert is_stale(stepped, "optimizer") and is_stale(loaded, "state") and is_stale(copied, "other")
    assert is_stale(rebound, "other") and is_stale(averaged, "other") and is_stale(from_a_vector, "vector")
    assert is_stale(in_inner_regions, "state")
    assert not is_stale(replaced, "other") and not is_stale(assigned, "state") and not is_stale(cleared, "state")
    assert not is_stale(without_cache, "state") and not is_stale(compared, "state")
    assert not is_stale(on_an_island, "state") and not is_stale(in_regions_of_their_own, "state")
