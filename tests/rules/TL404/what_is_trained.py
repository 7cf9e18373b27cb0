"""Half weights are a fault where an optimizer trains them; a frozen, copied, restored or finished model may be half."""
import copy

import torch
import torch.nn.functional as F
from torch import nn

WEIGHTS = {"fp16": torch.float16, "fp32": torch.float32}


def build(width=4):
    return nn.Sequential(nn.Linear(width, 8), nn.ReLU(), nn.Linear(8, 1))


def run(model, optimizer, scaler, x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = F.mse_loss(model(x).float(), y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def converted(x, y):
    model = build().half()  # expect: TL404
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run(model, optimizer, torch.amp.GradScaler("cpu"), x, y)


def after_the_optimizer(x, y):
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.to("cpu", torch.float16)  # expect: TL404
    run(model, optimizer, torch.amp.GradScaler("cpu"), x, y)


def by_a_setting(config, x, y):
    dtype = torch.float32
    if config["precision"] == "fp16":
        dtype = torch.float16
    model = build()
    model.to(device="cpu", dtype=dtype)  # expect: TL404
    optimizer = torch.optim.SGD([{"params": model.parameters(), "lr": 0.1}])
    run(model, optimizer, torch.amp.GradScaler("cpu"), x, y)


def the_head_alone(config, x, y):
    model = build()
    model[2].to(WEIGHTS[config["precision"]])  # expect: TL404
    optimizer = torch.optim.SGD(model[2].parameters(), lr=0.1)
    run(model, optimizer, torch.amp.GradScaler("cpu"), x, y)


def made_half():
    model = build()
    model.half()  # expect: TL404
    return model


def by_helper(x, y):
    model = made_half()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run(model, optimizer, torch.amp.GradScaler("cpu"), x, y)


def in_bfloat16(x, y):
    model = build().bfloat16()  # note: TL404
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run(model, optimizer, torch.amp.GradScaler("cpu"), x, y)


def without_a_scaler(x, y):
    model = build().half()  # note: TL404
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = F.mse_loss(model(x).float(), y)
    loss.backward()
    optimizer.step()


def with_a_teacher(x, y):
    model, teacher = build(), build()
    teacher.requires_grad_(False)
    teacher.half()  # ok: TL404  frozen
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run(model, optimizer, torch.amp.GradScaler("cpu"), x, teacher(x.half()).float())


def only_without_training(config, x, y):
    model = build()
    if config["evaluate"]:
        return model.half()(x.half())  # ok: TL404  this path trains nothing
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run(model, optimizer, torch.amp.GradScaler("cpu"), x, y)


def back_again(x, y):
    model = build().half().float()  # ok: TL404
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run(model, optimizer, torch.amp.GradScaler("cpu"), x, y)


def parameters_back_again(x, y):
    model = build()
    model.half()  # ok: TL404  every parameter becomes float32 again
    for p in model.parameters():
        p.data = p.data.float()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run(model, optimizer, torch.amp.GradScaler("cpu"), x, y)


def a_copy(x, y):
    model = build()
    shown = copy.deepcopy(model).half()  # ok: TL404
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run(model, optimizer, torch.amp.GradScaler("cpu"), x, y)
    return shown


def to_be_saved(x, y):
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(F.mse_loss(model(x), y)).backward()
    scaler.step(optimizer)
    scaler.update()
    return model.half().state_dict()  # ok: TL404  all training lies before


def saved_in_between(rounds, x, y):
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu")
    states = []
    for _ in range(rounds):
        run(model, optimizer, scaler, x, y)
        states.append(model.half().state_dict())  # expect: TL404
    return states


def with_master_weights(x, y):
    model = build().half()  # ok: TL404  the optimizer has float32 copies
    master = [p.detach().clone().float().requires_grad_() for p in model.parameters()]
    optimizer = torch.optim.SGD(master, lr=0.1)
    given = x.half()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = F.mse_loss(model(given).float(), y)
    loss.backward()
    for p, kept in zip(model.parameters(), master):
        kept.grad = p.grad.float()
    optimizer.step()


def inputs_in_half(x, y):
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run(model, optimizer, torch.amp.GradScaler("cpu"), x.half(), y)  # ok: TL404


def demonstrate():
    torch.manual_seed(0)
    x, y, config = torch.randn(6, 4), torch.randn(6, 1), {"precision": "fp16", "evaluate": False}
    faults = [(converted,), (after_the_optimizer,), (by_a_setting, config), (the_head_alone, config), (by_helper,)]
    faults.append((saved_in_between, 2))
    for train, *given in faults:
        try:
            train(*given, x, y)
            raise AssertionError("half gradients were unscaled")
        except ValueError as error:
            assert "unscale FP16 gradients" in str(error)
    harmless = (with_a_teacher, back_again, parameters_back_again, a_copy, to_be_saved, inputs_in_half)
    for train in (in_bfloat16, without_a_scaler, *harmless):
        train(x, y)
    with_master_weights(x, y)
    only_without_training(config, x, y)
