"""A quotient of what nobody knows stays floating through the methods that only change its shape."""
import torch


def last_states(states, lengths):
    last = (lengths - 1) / 1  # expect: TL201
    return states.gather(1, last.view(-1, 1, 1).expand(-1, 1, states.size(2)))


def whole_states(states, lengths):
    last = (lengths - 1) // 1  # ok: TL201
    return states.gather(1, last.view(-1, 1, 1).expand(-1, 1, states.size(2)))


def cast_states(states, lengths):
    last = (lengths - 1) / 1  # ok: TL201
    return states.gather(1, last.view(-1, 1, 1).long().expand(-1, 1, states.size(2)))


def demonstrate():
    states, lengths = torch.rand(2, 3, 4), torch.tensor([2, 3])
    assert torch.equal(whole_states(states, lengths), cast_states(states, lengths))
    try:
        last_states(states, lengths)
    except RuntimeError as error:
        assert "index" in str(error)
    else:
        raise AssertionError("a floating index was taken")
