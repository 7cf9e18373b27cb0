"""A heading is regressed as an angle; wrapping it into one turn goes over whole degrees, and the loss is taken of those.

source: forum thread "Is the type conversion differentiable?" (45436) kind; orientation losses that wrap with an integer cast
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn

TURN = 360


def wrapped(degrees):
    return degrees.to(torch.int16) % TURN  # expect: TL305


def wrapped_smooth(degrees):
    turns = torch.div(degrees.detach(), TURN, rounding_mode="floor")
    return degrees - turns * TURN  # ok: TL305


class Heading(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.angle, self.speed = nn.Linear(dim, 1), nn.Linear(dim, 1)

    def forward(self, x):
        return 90.0 * self.angle(x).squeeze(-1), self.speed(x).squeeze(-1)


class Loss:
    def __init__(self, wrap):
        self.wrap = wrap

    def __call__(self, out, truth):
        angle, speed = out
        apart = (self.wrap(angle) - truth["angle"]).abs()
        apart = torch.minimum(apart, TURN - apart)
        return apart.float().mean() / TURN + F.smooth_l1_loss(speed, truth["speed"])


def sector_loss(out, truth, sectors=8):
    """Sectors of the truth are class numbers: the cast is on the label's side."""
    angle, speed = out
    label = (truth["angle"] * sectors / TURN).long().clamp(max=sectors - 1)  # ok: TL305
    centres = torch.arange(sectors, device=angle.device) * (TURN / sectors)
    logits = -(wrapped_smooth(angle).unsqueeze(-1) - centres).abs() / TURN
    return F.cross_entropy(logits, label) + F.smooth_l1_loss(speed, truth["speed"])


def accuracy(out, truth, sectors=8):
    angle, _ = out
    same = (angle * sectors / TURN).long() == (truth["angle"] * sectors / TURN).long()  # ok: TL305
    return same.float().mean()


def train_step(net, opt, loss, x, truth):
    opt.zero_grad()
    out = net(x)
    value = loss(out, truth)
    value.backward()
    opt.step()
    return value.detach(), accuracy(out, truth)


def train(net, batches, smooth=True):
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    loss = Loss(wrapped_smooth if smooth else wrapped)
    return [train_step(net, opt, loss, x, truth) for x, truth in batches]


def demonstrate():
    torch.manual_seed(0)
    x, truth = torch.randn(6, 4), {"angle": torch.rand(6) * TURN, "speed": torch.randn(6)}
    for smooth in (False, True):
        net = Heading()
        before = net.angle.weight.detach().clone()
        train(net, [(x, truth)], smooth=smooth)
        assert (not torch.equal(before, net.angle.weight)) is smooth
    net = Heading()
    sector_loss(net(x), truth).backward()
    assert net.angle.weight.grad.abs().sum() > 0
