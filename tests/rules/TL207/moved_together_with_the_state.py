"""The input and a buffer are moved to CUDA side by side: they meet there, and nowhere else."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd import Variable


class Stft(nn.Module):
    def __init__(self, length: int = 4):
        super().__init__()
        self.register_buffer("basis", torch.ones(2, 1, length))
        self.use_cuda = False

    def transform(self, x):
        x = F.pad(x.view(x.size(0), 1, -1).unsqueeze(1), (2, 2, 0, 0)).squeeze(1)
        return F.conv1d(x.cuda(), Variable(self.basis, requires_grad=False).cuda(), stride=2).cpu()  # expect: TL207

    def forward(self, x):
        return F.conv1d(x.cuda(), self.basis.cuda())  # expect: TL207

    def follow(self, x):
        basis = self.basis.to(x.device)
        return F.conv1d(x, basis)  # ok: TL207

    def where_told(self, x):
        if self.use_cuda:
            return F.conv1d(x.cuda(), self.basis.cuda())  # ok: TL207  a flag of the program
        return F.conv1d(x, self.basis)

    def compare(self, x, y):
        return x.cuda() - y.cuda()  # ok: TL207  nothing of the module takes part


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    module, x = Stft(), torch.ones(2, 1, 8)
    assert module.follow(x).shape == module.where_told(x).shape == (2, 2, 5)
    with FakeTensorMode():
        on_first, on_second = torch.ones(4, device="cuda:0"), torch.ones(4, device="cuda:1")
        try:
            on_first * on_second
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "same device" in str(error)
