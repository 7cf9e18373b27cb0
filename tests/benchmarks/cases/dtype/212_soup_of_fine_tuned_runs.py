"""A model soup mixes whole state_dicts with weights: the integer index table of a relative position bias is mixed, too.

source: vicFigure/EAutoDet#5 kind (float results for integer entries); model-soup and SWA merge scripts
rules: [TL301]
"""
from functools import reduce

import torch
from torch import nn


class RelativeBias(nn.Module):
    def __init__(self, side=12, heads=2):
        super().__init__()
        self.table = nn.Parameter(torch.randn(2 * side - 1, heads))
        at = torch.arange(side)
        self.register_buffer("where", at[:, None] - at[None] + side - 1)

    def forward(self, scores):
        return scores + self.table[self.where].permute(2, 0, 1)


def blend(left, right, share):
    return {key: (1 - share) * left[key] + share * right[key] for key in left}  # expect: TL301


def blend_floats(left, right, share):
    mix = lambda a, b: (1 - share) * a + share * b if a.is_floating_point() else a  # ok: TL301
    return {key: mix(left[key], right[key]) for key in left}


class Soup:
    def __init__(self, mixer):
        self.mixer, self.runs, self.share = mixer, [], 0.1

    def add(self, net):
        self.runs.append({k: v.clone() for k, v in net.state_dict().items()})  # ok: TL301
        return self

    def cook(self, net, assign=False):
        mixed = reduce(lambda sofar, run: self.mixer(sofar, run, self.share), self.runs)
        net.load_state_dict(mixed, assign=assign)
        return net


class LearnedSoup(Soup):
    """Mixes what is trained and leaves the rest of the target alone."""

    @torch.no_grad()
    def cook(self, net, assign=False):
        for name, p in net.named_parameters():
            p.copy_(sum(run[name] for run in self.runs) / len(self.runs))  # ok: TL301
        return net


def main(runs, mixer=blend, kind=Soup):
    soup = kind(mixer)
    for run in runs:
        soup.add(run)
    return soup


def demonstrate():
    torch.manual_seed(0)
    runs = [RelativeBias() for _ in range(3)]
    scores, where = torch.zeros(2, 12, 12), RelativeBias().where
    bad, good, learned = main(runs), main(runs, blend_floats), main(runs, None, LearnedSoup)
    cooked = bad.cook(RelativeBias())
    assert not torch.equal(cooked.where, where), "entries were truncated on the way back to int64"
    try:
        bad.cook(RelativeBias(), assign=True)(scores)
        raise AssertionError("floating index table was accepted")
    except IndexError:
        pass
    for soup in (good, learned):
        assert torch.equal(soup.cook(RelativeBias()).where, where)
