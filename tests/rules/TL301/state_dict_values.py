"""Every value of a state_dict is halved, counters and index tables among them."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)
        self.register_buffer("ids", torch.arange(4096))


def by_comprehension(model: nn.Module):
    return {name: value.half() for name, value in model.state_dict().items()}  # expect: TL301


def by_loop(model: nn.Module):
    state = model.state_dict()
    for name in state:
        state[name] = state[name].to(torch.bfloat16)  # expect: TL301
    return state


def by_is_floating(model: nn.Module):
    return {n: v.half() if v.is_floating_point() else v for n, v in model.state_dict().items()}  # ok: TL301


def by_dtype(model: nn.Module):
    state = model.state_dict()
    for name, value in state.items():
        if value.dtype == torch.float32:
            state[name] = value.half()  # ok: TL301
    return state


def by_continue(model: nn.Module):
    state = model.state_dict()
    for name, value in state.items():
        if not torch.is_floating_point(value):
            continue
        state[name] = value.half()  # ok: TL301
    return state


def by_name(model: nn.Module):
    learned = {name for name, _ in model.named_parameters()}
    state = {n: v.half() for n, v in model.state_dict().items() if n in learned}  # ok: TL301
    state["norm.bias"] = model.state_dict()["norm.bias"].half()  # ok: TL301  the programmer chose
    return state


def demonstrate():
    net = Net()
    for function, exact in (
        (by_comprehension, False), (by_loop, False), (by_is_floating, True), (by_dtype, True), (by_continue, True),
    ):
        fresh = Net()
        fresh.load_state_dict(function(net))
        assert fresh.ids.dtype == torch.int64, "the load casts back and hides the loss"
        assert torch.equal(fresh.ids, net.ids) is exact, function
    assert "ids" not in by_name(net)
