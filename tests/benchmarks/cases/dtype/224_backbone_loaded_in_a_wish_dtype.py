"""A classmethod factory loads the backbone in a requested dtype and the trainer, which owns a scaler, optimises all of it.

source: oobabooga/textgen#5268, huggingface/transformers#30559, huggingface/diffusers#8871
rules: [TL404]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Backbone(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.body, self.head = nn.Linear(dim, dim), nn.Linear(dim, 1)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))

    @classmethod
    def restore(cls, weights=None, torch_dtype=None):
        net = cls()
        if weights is not None:
            net.load_state_dict(weights)
        if torch_dtype is not None:
            net = net.to(torch_dtype)  # use: TL404
        return net.to(KIND)


class Recipe:
    lr = 0.1

    def prepare(self, weights):
        return Backbone.restore(weights, torch_dtype=torch.float16)  # expect: TL404

    def trainable(self, net):
        return net.parameters()

    def run(self, x, y, weights=None):
        net = self.prepare(weights)
        opt = torch.optim.SGD(self.trainable(net), lr=self.lr)
        scaler = torch.amp.GradScaler(KIND, init_scale=16.0)
        with torch.autocast(KIND, dtype=torch.float16):
            loss = F.mse_loss(net(x).float(), y)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(list(self.trainable(net)), 1.0)
        scaler.step(opt)
        scaler.update()
        return net


class MasterRecipe(Recipe):
    def prepare(self, weights):
        return Backbone.restore(weights)  # ok: TL404


class HeadRecipe(Recipe):
    """Only the head is trained, and it is put back to float32."""

    def prepare(self, weights):
        net = Backbone.restore(weights)
        net.body.requires_grad_(False)
        net.body.half()  # ok: TL404
        return net

    def trainable(self, net):
        return [p for p in net.parameters() if p.requires_grad]


def serve(weights, x):
    net = Backbone.restore(weights, torch_dtype=torch.float16).eval()  # ok: TL404
    with torch.inference_mode():
        return net(x.half())


def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(8, 4, device=KIND), torch.randn(8, 1, device=KIND)
    try:
        Recipe().run(x, y)
        raise AssertionError("float16 gradients were unscaled")
    except ValueError as err:
        assert "unscale FP16 gradients" in str(err)
    for recipe in (MasterRecipe(), HeadRecipe()):
        assert recipe.run(x, y).head.weight.dtype is torch.float32
    assert serve(Backbone().state_dict(), x).dtype is torch.float16
