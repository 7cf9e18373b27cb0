"""What is fetched or converted once, or in loops that train nothing, costs no round anything."""
import torch
import torch.nn.functional as F
from torch import nn


def fetched_once(model: nn.Module, optimizer, batches):
    losses = []
    for x, y in batches:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses).mean().item()  # ok: TL307


def summed_on_the_device(model: nn.Module, optimizer, batches):
    total = torch.zeros(())
    for x, y in batches:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return float(total)  # ok: TL307


def now_and_then(model: nn.Module, optimizer, batches, every: int = 10):
    shown = []
    for number, (x, y) in enumerate(batches):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number % every == 0:
            shown.append(loss.item())  # ok: TL307
    return shown


def of_plain_numbers(rows: list[list[float]]):
    return [torch.tensor(row).sum().item() for row in rows]  # ok: TL307


def each_to_its_own(batches: list[torch.Tensor], like: torch.Tensor):
    return [x.to(like.dtype) for x in batches]  # ok: TL307


def narrowed(batches: list[torch.Tensor]):
    return [x.double().float() for x in batches]  # ok: TL307


def widened_for_a_sum(x: torch.Tensor):
    return x.half().float().sum()  # ok: TL307


def demonstrate():
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    batches = [(torch.ones(3, 2), torch.ones(3, 1))] * 2
    assert fetched_once(model, optimizer, batches) > 0
    assert summed_on_the_device(model, optimizer, batches) > 0
    assert len(now_and_then(model, optimizer, batches)) == 1
    assert of_plain_numbers([[1.0, 2.0]]) == [3.0]
    assert each_to_its_own([torch.ones(1)], torch.ones(1).half())[0].dtype is torch.float16
    assert narrowed([torch.ones(1)])[0].dtype is torch.float32
    assert widened_for_a_sum(torch.ones(1)) == 1
