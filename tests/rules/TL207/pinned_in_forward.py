"""A forward pass pins a tensor to a device by name: by .cuda(), a CUDA type, a text, or a device of the file."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
DEVICE = "cuda:0"
CPU = torch.device("cpu")


class Noisy(nn.Module):
    def forward(self, x):
        noise = torch.randn(x.shape).cuda()  # expect: TL207
        return x + noise


class Chosen(nn.Module):
    def forward(self, x):
        return x + torch.randn(x.shape).to(device)  # expect: TL207


class Named(nn.Module):
    def forward(self, x):
        shift = torch.zeros(x.shape, device=DEVICE)  # expect: TL207
        scale = torch.ones(x.shape).to("cuda", non_blocking=True)  # expect: TL207
        return x * scale + shift


class Typed(nn.Module):
    def forward(self, x):
        return x + torch.cuda.FloatTensor(x.shape).normal_()  # expect: TL207  # note: TL202


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRU(4, 4)

    def forward(self, x):
        start = torch.zeros(1, x.size(1), 4)
        if torch.cuda.is_available():
            start = start.cuda()  # expect: TL207
        return self.cell(x, start)[0]


class MovesTheInput(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        return self.head(x.cuda())  # expect: TL207


class LocalDevice(nn.Module):
    def forward(self, x):
        place = "cuda" if torch.cuda.is_available() else "cpu"
        return x * torch.linspace(0, 1, x.size(-1), device=place)  # expect: TL207


class Follows(nn.Module):
    def __init__(self):
        super().__init__()
        self.use_cuda = torch.cuda.is_available()

    def forward(self, x, place=None):
        shift = torch.zeros(x.shape)
        if x.is_cuda:
            shift = shift.cuda()  # ok: TL207  under a test of the input's device
        scale = torch.ones(x.shape)
        if self.use_cuda:
            scale = scale.cuda()  # ok: TL207  a flag of the program
        noise = torch.randn(x.shape).to(x.device)  # ok: TL207
        bias = torch.zeros(x.shape, device=place or x.device)  # ok: TL207
        gain = torch.tensor(2.0).to(device)  # ok: TL207  a single number
        shares = (x.detach().cpu() * torch.ones(x.shape).to(CPU)).to(x)  # ok: TL207  meant for the CPU
        return (x + shift) * scale + noise * gain + bias + shares


class Reports(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 4)
        self.start = nn.Parameter(torch.zeros(4).to(device))  # ok: TL207  registered: it moves with the module

    def forward(self, x):
        return self.head(x) + self.start

    def save(self, x):
        return x.cuda() + torch.zeros(4).cuda()  # ok: TL207  not on the way of the inputs


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    assert Reports()(torch.ones(2, 4)).shape == (2, 4)
    with FakeTensorMode():
        x = torch.ones(2, 4)  # expect: TL204  this is what the function shows
        pinned = torch.randn(x.shape, device="cuda")
        try:
            x + pinned
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "same device" in str(error)
