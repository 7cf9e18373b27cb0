"""A checkpoint exporter widens every tensor "narrower than float32" and takes the smaller dtype of two runs: dtypes have no order.

source: merge and export scripts ("'<' not supported between instances of 'torch.dtype' and 'torch.dtype'")
rules: [TL206]
"""
from functools import reduce

import torch


class Exporter:
    floor = torch.float32

    def narrow(self, tensor):
        kind = tensor.dtype
        return kind < self.floor  # expect: TL206

    def entry(self, tensor):
        return tensor.to(self.floor) if tensor.is_floating_point() and self.narrow(tensor) else tensor

    def export(self, state):
        return {k: self.entry(v) for k, v in state.items()}


class BitExporter(Exporter):
    def narrow(self, tensor):
        return torch.finfo(tensor.dtype).bits < torch.finfo(self.floor).bits  # ok: TL206


class SetExporter(Exporter):
    low = (torch.float16, torch.bfloat16)

    def narrow(self, tensor):
        return tensor.dtype in self.low and tensor.dtype != self.floor  # ok: TL206


def agreed(states):
    """One type for a merged entry."""
    kinds = {k: [s[k].dtype for s in states] for k in states[0]}
    return {k: min(*found) for k, found in kinds.items()}  # expect: TL206


def agreed_promoted(states):
    return {k: reduce(torch.promote_types, (s[k].dtype for s in states)) for k in states[0]}  # ok: TL206


def agreed_by_size(states):
    return {k: min((s[k].dtype for s in states), key=lambda d: d.itemsize) for k in states[0]}  # ok: TL206


def named(state):
    return sorted(str(v.dtype) for v in state.values())  # ok: TL206


def demonstrate():
    state = {"w": torch.randn(2).half(), "n": torch.tensor(3), "b": torch.randn(2)}
    other = {k: v.to(torch.float64) if v.is_floating_point() else v for k, v in state.items()}
    for call in (lambda: Exporter().export(state), lambda: agreed([state, other])):
        try:
            call()
            raise AssertionError("dtypes were put in order")
        except TypeError as err:
            assert "not supported between instances of 'torch.dtype'" in str(err)
    for cls in (BitExporter, SetExporter):
        assert cls().export(state)["w"].dtype is torch.float32
    assert agreed_promoted([state, other])["w"] is torch.float64
    assert agreed_by_size([state, other])["w"] is torch.float16 and len(named(state)) == 3
