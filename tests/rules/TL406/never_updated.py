"""No function of the file updates the scaler, or the update stands behind the loop: the second step raises."""
import torch
from torch import nn

try:
    from torch.amp import GradScaler as Scaler
except ImportError:

    class Scaler:
        def scale(self, loss):
            return loss

        def step(self, optimizer):
            optimizer.step()


def never(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.step(optimizer)  # expect: TL406
        optimizer.zero_grad()


def fine_tune(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        _close(scaler, optimizer)


def _close(scaler, optimizer):
    scaler.step(optimizer)  # expect: TL406
    optimizer.zero_grad()


def never_with_a_fallback(model, optimizer, batches):
    scaler = Scaler()
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.step(optimizer)  # expect: TL406


def plain(model, optimizer, batches):
    for batch in batches:
        model(batch).square().mean().backward()
        optimizer.step()  # ok: TL406  no scaler
        optimizer.zero_grad()


def standardised(scaler, env, actions):
    for action in actions:
        env.step(scaler.scale(action))  # ok: TL406  another kind of scaler


def demonstrate():
    for train in (never, fine_tune):
        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        try:
            train(model, optimizer, torch.amp.GradScaler("cpu"), torch.randn(2, 8, 4))
            raise AssertionError("two steps without an update")
        except RuntimeError as error:
            assert "since the last update" in str(error)
    plain(model, optimizer, torch.randn(2, 8, 4))
