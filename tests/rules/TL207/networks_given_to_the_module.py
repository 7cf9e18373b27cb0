"""The input is pinned on its way into a network that the module was given, or into its own forward()."""

import torch
from torch import nn
from torch.autograd import Variable


class Classifier(nn.Module):
    """Its backbone is made by a function that the caller chose."""

    def __init__(self, make_backbone, ways: int = 3):
        super().__init__()
        self.feature = make_backbone()
        self.classifier = nn.Linear(self.feature.final_feat_dim, ways)
        self.ways = ways

    def forward(self, x):
        x = Variable(x.cuda())  # expect: TL207
        out = self.feature.forward(x)
        return self.classifier.forward(out)

    def embed(self, x):
        return self.feature(x.cuda())  # expect: TL207

    def parse(self, x, is_feature=False):
        x = Variable(x.to("cuda"))  # expect: TL207
        if is_feature:
            return x
        x = x.contiguous().view(self.ways, *x.size()[2:])
        return self.feature.forward(x)


class Adapts(nn.Module):
    def __init__(self, make_backbone):
        super().__init__()
        self.feature = make_backbone()
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head.forward(self.feature.forward(x))

    def set_forward(self, x):
        x = x.cuda()  # expect: TL207
        x_var = Variable(x)
        support = x_var[:, :2, :].contiguous().view(-1, *x.size()[2:])
        return self.forward(support)

    def set_forward_following(self, x):
        x = x.to(self.head.weight.device)  # ok: TL207
        return self.forward(x[:, :2, :].contiguous().view(-1, *x.size()[2:]))

    def test_loop(self, loader):
        for x, _ in loader:
            x = x.cuda()  # ok: TL207  a loop moves its batches
            self.feature.forward(Variable(x))

    def look(self, x):
        shown = x.cuda()  # ok: TL207  it goes into nothing of the module
        return shown[:, 0].contiguous().view(-1)


class OnCuda(nn.Module):
    def __init__(self, make_backbone):
        super().__init__()
        self.feature = make_backbone().cuda()

    def forward(self, x):
        return self.feature.forward(x.cuda())  # ok: TL207  the module has put its network there


class Asks(nn.Module):
    def __init__(self, make_backbone, use_cuda: bool = False):
        super().__init__()
        self.feature = make_backbone()
        self.use_cuda = use_cuda

    def forward(self, x):
        if self.use_cuda:
            x = x.cuda()  # ok: TL207  a flag of the program
        return self.feature.forward(x)


class Backbone(nn.Linear):
    final_feat_dim = 4

    def __init__(self):
        super().__init__(4, 4)


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    assert Asks(Backbone)(torch.ones(2, 4)).shape == (2, 4)
    assert Adapts(Backbone).set_forward_following(torch.ones(2, 3, 4)).shape == (4, 2)
    with FakeTensorMode():
        x = torch.ones(2, 4, device="cuda")
        try:
            Backbone()(x)
            raise AssertionError("the input of the GPU met parameters of the CPU")
        except RuntimeError as error:
            assert "same device" in str(error)
