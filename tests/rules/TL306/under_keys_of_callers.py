"""What stands under a key: of a dict that a caller passes, of a dict of networks; the other keys say nothing of it."""
import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.model = nn.Linear(2, 2)

    def run(self, x):
        out = self.model(x)
        return {"estimate": out, "cut": out.detach()}

    def step(self, x):
        outputs = self.run(x)
        outputs["clean"] = x
        return self.report(outputs)

    def report(self, outputs):
        clean = outputs["clean"].cpu().numpy()  # ok: TL306  the batch itself
        cut = outputs["cut"].cpu().numpy()  # ok: TL306  the caller has it detached
        return clean, cut

    def step_and_show(self, x):
        return self.show(self.run(x))

    def show(self, outputs):
        return outputs["estimate"].cpu().numpy()  # expect: TL306


class Aligner(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        out = self.layer(x)
        return out, out.detach().softmax(-1)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)

    def forward(self, x):
        return self.layer(x), x


class Pair:
    def __init__(self):
        self.models = {"aligner": Aligner(), "critic": Critic()}

    def alignments(self, x):
        out, alignments = self.models["aligner"](x)
        self.loss = out.sum()
        return alignments.cpu().numpy()  # ok: TL306  its forward detaches them

    def outputs(self, x):
        out, _ = self.models["aligner"](x)
        return out.cpu().numpy()  # expect: TL306


def demonstrate():
    x = torch.ones(1, 2)
    Trainer().step(x), Pair().alignments(x)
    for function in (Trainer().step_and_show, Pair().outputs):
        try:
            function(x)
        except RuntimeError as error:
            assert "requires grad" in str(error)
        else:
            raise AssertionError("numpy took a tensor that requires grad")
