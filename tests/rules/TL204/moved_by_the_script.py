"""A script moves its network and its batches, and makes a target on the CPU; what it moves nowhere stays together."""
import torch
import torch.nn.functional as F
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(net, loader):
    net = net.to(device)
    criterion = nn.BCEWithLogitsLoss()
    for x in loader:
        x = x.to(device)
        real = torch.full((x.size(0), 1), 1.0)  # expect: TL204
        criterion(net(x), real).backward()


def train_by_flag(net, loader, args):
    where = "cuda" if args.cuda else "cpu"
    net = net.to(where)
    criterion = nn.BCEWithLogitsLoss()
    for x in loader:
        scores = net(x.to(where))
        real = torch.ones(scores.size(0), 1)  # expect: TL204
        also = torch.ones(scores.size(0), 1).to(where)  # ok: TL204
        (criterion(scores, real) + criterion(scores, also)).backward()


class Adversary:
    def __init__(self, critic):
        self.critic = critic.cuda()
        self.loss = nn.BCEWithLogitsLoss()

    def step(self, pictures):
        real = torch.ones(len(pictures), 1)  # expect: TL204
        fake = torch.zeros(len(pictures), 1).cuda()
        return self.loss(self.critic(pictures.cuda()), real) + self.loss(self.critic(pictures.cuda()), fake)

    def total(self, batches):
        total = torch.tensor(0.0)  # expect: TL204
        for pictures in batches:
            total += self.critic(pictures.cuda()).mean()
        return total

    def report(self, pictures):
        scores = self.critic(pictures.cuda()).cpu()
        return scores - torch.ones(len(pictures), 1)  # ok: TL204  brought back


def groups(net, x):
    x = x.cuda()
    labels = torch.stack([part.argmax() for part in list(net(x))])
    weights = torch.linspace(0, 1, 3)  # expect: TL204
    return weights[labels.view(-1, 1)]


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(x)


def samples():
    return torch.rand(8, 4), torch.ones(8, 1)  # ok: TL204


def fit_on_the_cpu():
    x, y = samples()
    net = Small()
    print(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def show(other):
        return net(other)

    loss = F.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    return show(x) - y


def fit_somewhere(place):
    x = torch.rand(8, 4)
    net = Small()
    place(net)
    y = torch.ones(8, 1)  # expect: TL204  nobody knows where the network is
    loss = F.mse_loss(net(x.cuda()), y)
    loss.backward()


class Sparse(nn.Module):
    def __init__(self):
        super().__init__()
        self.values = nn.Parameter(torch.ones(2))
        self.base = nn.Parameter(torch.ones(3, 3))

    def forward(self, x):
        places = torch.tensor([[0, 1], [1, 2]])
        delta = torch.sparse_coo_tensor(places.to(x.device), self.values, (3, 3))  # ok: TL204  where its values are
        return x @ (self.base + delta)


def demonstrate():
    assert fit_on_the_cpu().shape == (8, 1) and Sparse()(torch.ones(2, 3)).shape == (2, 3)
    critic = nn.Linear(4, 1).to("meta")
    try:
        critic(torch.ones(8, 4, device="meta")) - torch.ones(8, 1)  # expect: TL204
    except RuntimeError:
        return
    raise AssertionError("tensors of two devices were combined")
