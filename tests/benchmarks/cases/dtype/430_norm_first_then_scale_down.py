"""A trainer's template method scales, calls a hook and steps; one hook takes the norm with the new two-part clipping functions, too early.

source: Lightning-AI/pytorch-lightning#9599, pytorch/examples#1196 kind, with get_total_norm and clip_grads_with_norm_
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import clip_grads_with_norm_, get_total_norm

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Template:
    def __init__(self, net, limit=0.5):
        self.net, self.limit, self.norms = net, limit, []
        self.optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
        self.scaler = torch.amp.GradScaler(KIND, init_scale=2.0**14)

    def weights(self):
        return [p for p in self.net.parameters() if p.grad is not None]

    def before_step(self):
        pass

    def run_step(self, x, y):
        self.optimizer.zero_grad()
        with torch.autocast(KIND, dtype=torch.bfloat16):
            out = self.net(x)
        self.scaler.scale(F.mse_loss(out.float(), y)).backward()
        self.before_step()
        self.scaler.step(self.optimizer)
        self.scaler.update()


class Bounded(Template):
    def before_step(self):
        params = self.weights()
        norm = get_total_norm([p.grad for p in params])
        clip_grads_with_norm_(params, self.limit, norm)  # expect: TL406
        self.norms.append(norm.item())


class BoundedUnscaled(Template):
    def before_step(self):
        self.scaler.unscale_(self.optimizer)
        params = self.weights()
        norm = get_total_norm([p.grad for p in params])
        clip_grads_with_norm_(params, self.limit, norm)  # ok: TL406
        self.norms.append(norm.item())


class BoundedToScale(Template):
    """Multiplies the limit instead of dividing the gradients: the same thing."""

    def before_step(self):
        params = self.weights()
        factor = self.scaler.get_scale()
        norm = get_total_norm([p.grad for p in params])
        clip_grads_with_norm_(params, self.limit * factor, norm)  # ok: TL406
        self.norms.append(norm.item() / factor)


def demonstrate():
    def run(kind):
        torch.manual_seed(0)
        net = nn.Linear(4, 1).to(KIND)
        start = torch.cat([p.detach().flatten() for p in net.parameters()])
        trainer = kind(net)
        x = torch.randn(16, 4, device=KIND)
        trainer.run_step(x, 3 * x.sum(1, keepdim=True))
        end = torch.cat([p.detach().flatten() for p in net.parameters()])
        return (end - start).norm().item(), trainer.norms

    moved, norms = run(BoundedUnscaled)
    assert abs(moved - 0.5) < 1e-3 and norms[0] > 0.5
    tiny, big = run(Bounded)
    assert tiny < 1e-3 and big[0] > 1000
    assert abs(run(BoundedToScale)[0] - 0.5) < 1e-3
