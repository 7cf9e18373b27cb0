"""numpy() of what autograd records raises; each way to take the graph away first."""
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(2, 2)
        self.scale = nn.Parameter(torch.ones(2))

    def forward(self, x):
        return self.proj(x)

    def export(self):
        return self.scale.numpy()  # expect: TL306

    def export_detached(self):
        return self.scale.detach().numpy()  # ok: TL306

    def scores(self, x):
        out = self(x)
        return torch.sigmoid(out).cpu().numpy()  # expect: TL306

    def labels(self, x):
        return self(x).argmax(-1).numpy()  # ok: TL306  integers are not recorded


def through_locals(net, x):
    out = net(x)
    best, where = out.max(dim=1)
    kept = where.numpy()  # ok: TL306  the positions
    return best.squeeze().numpy(), kept  # expect: TL306


def through_a_list(net, batches):
    outputs = []
    for batch in batches:
        outputs.append(net(batch))
    return torch.cat(outputs).numpy()  # expect: TL306


def probabilities(net, x):
    return torch.softmax(net(x), dim=-1)


def through_a_helper(net, x):
    return probabilities(net, x).numpy()  # expect: TL306


def log_probability(net, x):
    dist = Categorical(logits=net(x))
    action = dist.sample()
    taken = action.numpy()  # ok: TL306  a sample is not recorded
    return dist.log_prob(action).numpy(), taken  # expect: TL306


def mean_of_losses(net, batches, criterion):
    losses = []
    for x, y in batches:
        losses.append(criterion(net(x), y))
    return np.mean(losses)  # expect: TL306


def mean_of_numbers(net, batches, criterion):
    losses = []
    for x, y in batches:
        losses.append(criterion(net(x), y).item())  # note: TL307
    return np.mean(losses)  # ok: TL306


def as_array(net, x):
    return np.array(torch.tanh(net(x)))  # expect: TL306


def in_any_order(net, x):
    first = net(x).cpu().detach().numpy()  # ok: TL306
    second = net(x).data.numpy()  # ok: TL306
    out = net(x)
    out = out.detach()
    third = out.numpy()  # ok: TL306
    fourth = net(x).numpy(force=True)  # ok: TL306
    hits = (net(x) > 0.5).numpy()  # ok: TL306  a mask
    rest = np.asarray(net(x).tolist())  # ok: TL306
    return first, second, third, fourth, hits, rest


def if_it_must(net, x):
    out = net(x)
    if out.requires_grad:
        out = out.detach()
    return out.numpy()  # ok: TL306


def with_a_test(tensor, net, x):
    out = net(x)
    return out.detach().numpy() if out.requires_grad else out.numpy()  # ok: TL306


def to_array(tensor):
    return tensor.numpy()  # ok: TL306  its callers pass what is detached


def calls_it(net, x):
    return to_array(net(x).detach())


def frozen(net, x):
    for parameter in net.parameters():
        parameter.requires_grad_(False)
    return net(x).numpy()  # ok: TL306


def batch_of_data(batch):
    return torch.as_tensor(batch, dtype=torch.float32).numpy()  # ok: TL306


def demonstrate():
    torch.manual_seed(0)
    net, x = Scorer(), torch.randn(3, 2)
    criterion, pairs = nn.MSELoss(), [(x, x)] * 2
    raising = (
        net.export,
        lambda: net.scores(x),
        lambda: through_locals(net, x),
        lambda: through_a_list(net, [x, x]),
        lambda: through_a_helper(net, x),
        lambda: log_probability(net, x),
        lambda: mean_of_losses(net, pairs, criterion),
        lambda: as_array(net, x),
    )
    for function in raising:
        try:
            function()
        except RuntimeError as error:
            assert "requires grad" in str(error)
        else:
            raise AssertionError("numpy took a tensor that requires grad")
    net.export_detached(), net.labels(x), mean_of_numbers(net, pairs, criterion), in_any_order(net, x)
    if_it_must(net, x), with_a_test(x, net, x), calls_it(net, x), frozen(Scorer(), x), batch_of_data([1, 2])
