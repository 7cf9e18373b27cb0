"""Losses and utilities outside of modules: what a network computed meets a tensor made on the CPU."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal, kl_divergence


def ordinal_loss(logits: torch.Tensor, target: torch.Tensor):
    levels = torch.arange(logits.size(1)).float()  # expect: TL204
    return F.mse_loss((logits.softmax(-1) * levels).sum(-1), target)


def ordinal_loss_moved(logits: torch.Tensor, target: torch.Tensor):
    levels = torch.arange(logits.size(1), dtype=torch.float32).to(logits.device)  # ok: TL204
    return F.mse_loss((logits.softmax(-1) * levels).sum(-1), target)


def discounts(batch: dict, gamma: float):
    starts = torch.cat([torch.ones((1,)), batch["done"][:-1]])  # expect: TL204
    return starts * gamma


def gradient_penalty(critic, real: torch.Tensor, fake: torch.Tensor):
    share = torch.rand(real.size(0), 1)  # expect: TL204
    return critic(share * real + (1 - share) * fake).norm()


def gradient_penalty_like(critic, real: torch.Tensor, fake: torch.Tensor):
    share = torch.rand(real.size(0), 1).type_as(real)  # ok: TL204
    return critic(share * real + (1 - share) * fake).norm()


def adversarial_step(discriminator, image):
    score = discriminator(image)
    real = torch.ones(score.shape[0], 1)  # expect: TL204
    also = torch.ones_like(score)  # ok: TL204
    return F.binary_cross_entropy_with_logits(score, real) + F.mse_loss(score, also)


class Prior(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(4, 4)

    def forward(self, x):
        posterior = Normal(self.mean(x), x.new_ones(4))
        prior = Normal(torch.zeros(4), torch.ones(4))  # expect: TL204
        plain = Normal(0.0, 1.0)  # ok: TL204
        return kl_divergence(posterior, prior).sum() + plain.log_prob(x).sum()


def sizes(image: torch.Tensor):
    return torch.tensor(image.shape) / torch.tensor([1.0, 3.0, 8.0, 8.0])  # ok: TL204  no input is combined


def report(confusion):
    return torch.tensor(confusion.tolist()) / torch.ones(3)  # ok: TL204


def demonstrate():
    Normal.set_default_validate_args(False)  # the checks of values need values
    there = torch.device("cuda" if torch.cuda.is_available() else "meta")
    with there:
        x, net, prior = torch.ones(3, 4), nn.Linear(4, 1), Prior()
        batch = {"done": torch.zeros(3)}
    for step in (
        lambda: ordinal_loss(x, x[:, 0]),
        lambda: discounts(batch, 0.9),
        lambda: gradient_penalty(net, x, x),
        lambda: adversarial_step(net, x),
        lambda: prior(x),
    ):
        try:
            step()
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "device" in str(error)
    assert ordinal_loss_moved(x, x[:, 0]).device == gradient_penalty_like(net, x, x).device == there
