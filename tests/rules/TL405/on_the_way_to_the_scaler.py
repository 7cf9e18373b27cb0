"""A cast to float16 anywhere between the loss and the scaler gets the scale as its gradient; a cast elsewhere does not."""
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

PRECISION = {"fp16": torch.float16, "fp32": torch.float32}


def directly(model, scaler, x, y):
    loss = F.mse_loss(model(x), y)
    scaler.scale(loss.half()).backward()  # expect: TL405


def by_a_flag(args, model, scaler, x, y):
    loss = F.mse_loss(model(x), y)
    if args.fp16:
        loss = loss.half()  # expect: TL405
    scaler.scale(loss).backward()


def by_a_table(args, model, scaler, x, y):
    loss = F.mse_loss(model(x), y).to(dtype=PRECISION[args.precision])  # expect: TL405
    scaler.scale(loss / args.accumulate).backward()


def before_the_mean(model, x, y):
    scaler = torch.amp.GradScaler("cpu")
    losses = F.mse_loss(model(x), y, reduction="none").type(torch.float16)  # expect: TL405
    total = losses.mean() * 0.5
    scaler.scale(total).backward()


def halved_by_helper(model, x, y):
    return F.mse_loss(model(x), y).half()  # expect: TL405


def with_helper(model, scaler, x, y):
    loss = halved_by_helper(model, x, y)
    scaler.scale(loss).backward()


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.scaler = torch.cuda.amp.GradScaler()

    def step(self, x, y):
        self._backward(F.mse_loss(self.model(x), y).half())  # expect: TL405

    def step_in_float32(self, x, y):
        self._backward(F.mse_loss(self.model(x), y).half().float())  # expect: TL405

    def step_without_cast(self, x, y):
        self._backward(F.mse_loss(self.model(x), y).float())  # ok: TL405

    def _backward(self, loss):
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


def to_the_dtype_of_the_output(model, scaler, x, y):
    with torch.autocast("cuda", dtype=torch.float16):
        out = model(x)
        loss = F.mse_loss(out.float(), y)
    scaler.scale(loss.type_as(out)).backward()  # expect: TL405


def to_the_dtype_of_the_target(model, scaler, x, y):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = F.mse_loss(model(x).float(), y)
    scaler.scale(loss.type_as(y)).backward()  # ok: TL405  a target is float32


def in_bfloat16(model, scaler, x, y):
    loss = F.mse_loss(model(x), y).bfloat16()  # ok: TL405  as wide as float32
    scaler.scale(loss).backward()


def without_scaler(model, x, y):
    loss = F.mse_loss(model(x), y).half()  # ok: TL405
    loss.backward()


def logged(model, scaler, x, y):
    loss = F.mse_loss(model(x), y)
    scaler.scale(loss).backward()
    return loss.detach().half(), loss.half().item()  # ok: TL405  # note: TL307


def as_a_summand(model, scaler, x, y):
    main = F.mse_loss(model(x), y)
    aside = F.l1_loss(model(x), y).half()  # expect: TL405
    scaler.scale(main + aside).backward()


def divided_in_float32(model, scaler, x, y):
    loss = F.mse_loss(model(x), y).half().float()  # ok: TL405  a quarter of the scale comes back
    scaler.scale(loss / 4).backward()


def standardised(scaler, features):
    return scaler.transform(features.half())  # ok: TL405  another kind of scaler


class OwnLoss(nn.Module):
    def forward(self, x, y):
        return F.mse_loss(x, y).half()  # ok: TL405  the module decides


def with_own_loss(model, scaler, x, y):
    scaler.scale(OwnLoss()(model(x), y)).backward()


def beside_it(model, scaler, x, y):
    error = F.l1_loss(model(x), y).half()  # ok: TL405  a number for the log
    scaler.scale(F.mse_loss(model(x), y)).backward()
    return error


def inputs_in_half(model, scaler, x, y):
    given = x.half()  # ok: TL405
    with torch.autocast("cuda"):
        loss = F.mse_loss(model(given), y)
    scaler.scale(loss).backward()


def demonstrate():
    def is_finite(step, *before):
        torch.manual_seed(0)
        model, scaler = nn.Linear(4, 1), torch.amp.GradScaler("cpu")
        step(*before, model, scaler, torch.randn(8, 4), torch.full((8, 1), 5.0))
        return bool(torch.isfinite(model.weight.grad).all())

    args = SimpleNamespace(fp16=True, precision="fp16", accumulate=1)
    assert not is_finite(directly) and not is_finite(as_a_summand) and not is_finite(with_helper)
    assert not is_finite(by_a_flag, args) and not is_finite(by_a_table, args)
    assert is_finite(in_bfloat16) and is_finite(logged) and is_finite(divided_in_float32)
