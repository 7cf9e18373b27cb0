"""A script halves its model to save memory and hands it to a trainer that brings autocast and a scaler of its own.

source: Lightning-AI/pytorch-lightning#5140, ShivamShrirao/diffusers#131, zai-org/CogVideo#775 (Attempting to unscale FP16 gradients)
rules: [TL404]
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Net(nn.Module):
    def __init__(self, width: int = 8, classes: int = 3):
        super().__init__()
        self.body, self.head = nn.Linear(4, width), nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.body(x).relu())


class Trainer:
    def __init__(self, precision: int = 16, epochs: int = 1):
        self.epochs, self.mixed = epochs, precision == 16
        self.scaler = torch.amp.GradScaler(KIND, init_scale=128.0, enabled=self.mixed)

    def fit(self, model, batches):
        opt = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(self.epochs):
            for x, y in batches:
                opt.zero_grad()
                with torch.autocast(KIND, dtype=torch.float16, enabled=self.mixed):
                    loss = F.cross_entropy(model(x).float(), y)
                self.scaler.scale(loss).backward()
                self.scaler.step(opt)
                self.scaler.update()
        return model


def train(config, batches):
    model = Net(**config).to(KIND)
    model.half()  # expect: TL404
    return Trainer(precision=16).fit(model, batches)


def train_head(config, batches):
    """Only the last layer is meant to be small."""
    model = Net(**config).to(KIND)
    model.head = model.head.to(torch.float16)  # expect: TL404
    Trainer(precision=16).fit(model, batches)
    return model


def train_fixed(config, batches):
    model = Trainer(precision=16).fit(Net(**config).to(KIND), batches)
    served = copy.deepcopy(model).half()  # ok: TL404
    return model, served


def train_on_frozen(config, batches):
    """The halved network only makes features; nothing of it is trained."""
    body = Net(**config).to(KIND).requires_grad_(False)
    body.half()  # ok: TL404
    probe = nn.Linear(body.head.out_features, 3).to(KIND)

    def feats():
        for x, y in batches:
            with torch.no_grad():
                yield body(x.half()).float(), y

    return Trainer(precision=16).fit(probe, list(feats()))


def export(model):
    model.eval().half()  # ok: TL404
    return {k: v for k, v in model.state_dict().items()}


def demonstrate():
    batches = [(torch.randn(5, 4, device=KIND), torch.randint(0, 3, (5,), device=KIND)) for _ in range(2)]
    for run in (train, train_head):
        try:
            run({"width": 8}, batches)
            raise AssertionError("half gradients were unscaled")
        except ValueError as err:
            assert "unscale FP16 gradients" in str(err), err
    model, served = train_fixed({}, batches)
    assert model.body.weight.dtype is torch.float32 and served.body.weight.dtype is torch.float16
    assert train_on_frozen({}, batches).weight.grad.dtype is torch.float32
    assert export(Net())["body.weight"].dtype is torch.float16
