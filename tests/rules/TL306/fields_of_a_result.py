"""A method returns a dict: what lies under one of its keys is bfloat16, what lies under the others is not."""

import torch
from torch import nn


class Grader:
    def __init__(self, net):
        self.net = net.to("cuda" if torch.cuda.is_available() else "cpu")

    @torch.inference_mode()
    def graded(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            chances = torch.sigmoid(self.net(x))
        return {"chances": chances, "sure": chances > 0.5, "best": chances.argmax(-1)}

    def chances(self, x):
        return self.graded(x)["chances"].cpu().numpy()  # expect: TL306

    def wide_chances(self, x):
        return self.graded(x)["chances"].float().cpu().numpy()  # ok: TL306

    def sure(self, x):
        return self.graded(x)["sure"].cpu().numpy()  # ok: TL306  a mask

    def best(self, x):
        return self.graded(x)["best"].cpu().numpy()  # ok: TL306  positions


grader = Grader(nn.Linear(3, 2))
