"""An evaluator with a device option collects arrays in a dict; one branch forgets that outputs live on the accelerator.

source: JDAI-CV/fast-reid#509, zhuangdizhu/FedGen#1
rules: [TL306]
"""
import argparse

import numpy as np
import torch
from torch import nn


def options(argv=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu")
    return parser.parse_args(list(argv))


class Evaluator:
    def __init__(self, model: nn.Module, args):
        self.device = torch.device(args.device)
        self.model = model.to(self.device).eval()
        self.kept = {"score": [], "label": []}

    def keep(self, **arrays):
        for name, value in arrays.items():
            self.kept[name].append(value)

    @torch.no_grad()
    def run(self, loader):
        for x, y in loader:
            out = self.model(x.to(self.device)).softmax(-1)
            self.keep(score=out.numpy(), label=y.numpy())  # expect: TL306
        return {k: np.concatenate(v) for k, v in self.kept.items()}


class EvaluatorOnHost(Evaluator):
    @torch.no_grad()
    def run(self, loader):
        for x, y in loader:
            out = self.model(x.to(self.device)).softmax(-1)
            host = out.cpu()
            self.keep(score=host.numpy(), label=y.numpy())  # ok: TL306
        return {k: np.concatenate(v) for k, v in self.kept.items()}


class EvaluatorAtTheEnd(Evaluator):
    """Everything stays where it is until the loop is over."""

    @torch.inference_mode()
    def run(self, loader):
        outs = [(self.model(x.to(self.device)), y) for x, y in loader]
        score = torch.cat([o for o, _ in outs]).to("cpu")
        return {"score": score.numpy(), "label": torch.cat([y for _, y in outs]).numpy()}  # ok: TL306


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    loader = [(torch.randn(2, 3), torch.tensor([0, 1])) for _ in range(2)]
    assert Evaluator(nn.Linear(3, 2), options()).run(loader)["score"].shape == (4, 2)
    try:
        Evaluator(nn.Linear(3, 2), options(["--device", "meta"])).run(loader)
        raise AssertionError("an array was made of a device tensor")
    except TypeError as err:
        assert "numpy" in str(err), err
    for cls in (EvaluatorOnHost, EvaluatorAtTheEnd):
        assert cls(nn.Linear(3, 2), options()).run(loader)["score"].shape == (4, 2)
