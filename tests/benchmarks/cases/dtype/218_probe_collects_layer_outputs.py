"""A forward hook puts layer outputs into a dict; the analysis that turns them into arrays runs outside every no_grad.

source: tkalayci71/embedding-inspector#22, xiaxin1998/DHCN#8, ClownW/Reinforcement-learning-with-PyTorch#3
rules: [TL306]
"""
import argparse
from contextlib import ExitStack

import numpy as np
import torch
from torch import nn


class Probe:
    def __init__(self, net, names):
        self.seen = {name: [] for name in names}
        parts = dict(net.named_modules())
        self.handles = [parts[name].register_forward_hook(self.keep(name)) for name in names]

    def keep(self, name):
        return lambda module, args, out: self.seen[name].append(out)

    def close(self):
        for handle in self.handles:
            handle.remove()


def spectrum(net, x, name):
    with ExitStack() as stack:
        probe = Probe(net, [name])
        stack.callback(probe.close)
        net(x)
    return np.linalg.svd(torch.cat(probe.seen[name]).numpy(), compute_uv=False)  # expect: TL306


def spectrum_quiet(net, x, name):
    with ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        probe = Probe(net, [name])
        stack.callback(probe.close)
        net(x.cpu())
    return np.linalg.svd(torch.cat(probe.seen[name]).numpy(), compute_uv=False)  # ok: TL306


class Agent:
    def __init__(self, opts):
        self.place = torch.device(opts.device)
        self.policy = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)).to(self.place)

    @torch.no_grad()
    def act(self, state):
        logits = self.policy(torch.as_tensor(state, dtype=torch.float32, device=self.place))
        return logits.argmax(-1).numpy()  # expect: TL306

    @torch.no_grad()
    def values(self, state):
        values = self.policy(torch.as_tensor(state, dtype=torch.float32, device=self.place))
        host = values.to("cpu")
        return host.numpy()  # ok: TL306


def options(argv=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args(argv)


def demonstrate():
    net, x = nn.Sequential(nn.Linear(3, 3), nn.ReLU()), torch.randn(5, 3)
    try:
        spectrum(net, x, "0")
        raise AssertionError("numpy took a tensor that requires grad")
    except RuntimeError as err:
        assert "requires grad" in str(err)
    assert spectrum_quiet(net, x, "0").shape == (3,)
    state = np.zeros((1, 3))
    assert Agent(options(["--device", "cpu"])).values(state).shape == (1, 2)
    other = Agent(options(["--device", "meta"]))  # any device that is not the host
    try:
        other.act(state)
        raise AssertionError("numpy took a tensor of another device")
    except (TypeError, RuntimeError, NotImplementedError) as err:
        assert "meta" in str(err) or "device" in str(err), err
