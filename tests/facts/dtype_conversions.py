"""The dtype after conversions, reductions, indexing functions and layers."""
import torch
import torch.nn.functional as F
from torch import nn


def converted(x: torch.Tensor, other: torch.Tensor, device, dtype, anything):
    x.half()  # fact: tensor float16 from x
    x.float()  # fact: tensor float32
    x.long()  # fact: tensor int64
    x.bool()  # fact: tensor bool
    x.to(torch.float16)  # fact: tensor float16
    x.to(dtype=torch.float16)  # fact: tensor float16
    x.to("cpu", torch.float16)  # fact: tensor float16
    x.half().to(device)  # fact: tensor float16
    x.half().to("cpu")  # fact: tensor float16
    x.half().to(x.device)  # fact: tensor float16
    x.half().to(anything)  # fact: tensor dtype ?
    x.to(dtype)  # fact: tensor dtype ?
    x.to(other)  # fact: tensor dtype ?
    x.to(other.half())  # fact: tensor float16
    x.to(other.dtype)  # fact: tensor dtype ?
    x.half().to(other.dtype)  # fact: tensor dtype ?
    x.type(torch.int64)  # fact: tensor int64
    x.type("torch.LongTensor")  # fact: tensor int64
    x.type(torch.LongTensor)  # fact: tensor int64
    x.type_as(other)  # fact: tensor dtype ?
    x.type_as(other.half())  # fact: tensor float16
    x.half().cpu()  # fact: tensor float16
    x.half().contiguous().clone()  # fact: tensor float16
    x.half().view(-1)  # fact: tensor float16
    x.half().view(torch.int16)  # fact: tensor int16
    x.half().reshape(1).unsqueeze(0).squeeze().T  # fact: tensor float16
    x.numpy()  # fact: array
    x.half().tolist()  # fact: other
    x.dtype  # fact: other dtype ?
    x.half().dtype  # fact: other float16
    anything.half()  # fact: unknown float16
    anything.to(torch.float16)  # fact: unknown float16
    anything.view(1)  # fact: unknown dtype ?
    anything.to("cpu")  # fact: unknown dtype ?
    anything.to(device)  # fact: unknown dtype ?
    anything.to(dtype)  # fact: unknown dtype ?
    anything.type()  # fact: unknown dtype ?
    x.detach()  # fact: tensor dtype ?
    x.requires_grad_()  # fact: tensor dtype ?
    return anything.half().dtype  # fact: other float16


def asked_for_what_tensors_have(anything, input, module):
    anything.detach()  # fact: tensor dtype ?
    anything.double()  # fact: tensor float64
    F.relu(input)
    input.half()  # fact: tensor float16
    module.double()  # fact: unknown float64
    anything.half().sum()  # fact: tensor float16
    anything.float().mean() + 1  # fact: tensor float32
    module.float().eval()  # fact: not known
    module.extra_repr()  # fact: not known
    module.training  # fact: not known
    return module.state_dict()  # fact: container


def reduced(x: torch.Tensor, anything):
    long, mask, half = torch.arange(1), torch.zeros(2).bool(), x.half()
    long.sum()  # fact: tensor int64 0-dim
    long.int().sum()  # fact: tensor int64
    mask.sum()  # fact: tensor int64
    half.sum()  # fact: tensor float16
    half.sum(dtype=torch.float32)  # fact: tensor float32
    x.sum()  # fact: tensor dtype ? 0-dim
    half.mean()  # fact: tensor float16
    half.argmax()  # fact: tensor int64
    half.argsort()  # fact: tensor int64
    half.max()  # fact: tensor float16 0-dim
    half.nonzero()  # fact: tensor int64
    mask.any()  # fact: tensor bool
    mask.all()  # fact: tensor bool
    half.cumsum(0)  # fact: tensor float16
    long.cumsum(0)  # fact: tensor int64
    long.float().softmax(0)  # fact: tensor float32
    x.softmax(0)  # fact: tensor dtype ?
    x.mean()  # fact: tensor dtype ?
    x.abs()  # fact: tensor dtype ?
    x.clamp(0)  # fact: tensor dtype ?
    x.cumsum(0)  # fact: tensor dtype ?
    half.abs()  # fact: tensor float16
    long.sin()  # fact: tensor float32
    torch.sqrt(long)  # fact: tensor float32
    torch.fft.fft(half.float())  # fact: tensor complex
    torch.zeros(2, dtype=torch.complex64).abs()  # fact: tensor floating
    torch.zeros(2, dtype=torch.complex64) + 1  # fact: tensor complex64
    half.item()  # fact: number floating
    long.item()  # fact: number integral
    x.item()  # fact: number dtype ?
    x.size()  # fact: container of number integral
    x.size(0)  # fact: number integral
    x.shape  # fact: container of number integral
    x.dim()  # fact: number integral
    anything.sum()  # fact: unknown dtype ?
    anything.argmax()  # fact: unknown dtype ?
    return torch.argmax(anything)  # fact: tensor int64


def functions(x: torch.Tensor, index: torch.Tensor, anything):
    half, long = x.half(), index.long()
    torch.where(x > 0, half, 0.0)  # fact: tensor float16
    torch.where(x > 0, half, x)  # fact: tensor floating
    torch.where(x > 0, long, x)  # fact: tensor dtype ?
    torch.cat([half, half])  # fact: tensor float16
    torch.cat([half, x])  # fact: tensor floating
    torch.cat([long, x])  # fact: tensor dtype ?
    torch.cat([long, anything])  # fact: tensor dtype ?
    torch.cat(anything.split(1))  # fact: tensor dtype ?
    torch.cat([half, long])  # fact: tensor float16
    torch.stack((long, long))  # fact: tensor int64
    torch.gather(half, 0, long)  # fact: tensor float16
    torch.bucketize(x, half)  # fact: tensor int64
    torch.div(long, 2)  # fact: tensor float32
    torch.div(long, 2, rounding_mode="floor")  # fact: tensor int64
    torch.add(half, x)  # fact: tensor floating
    torch.add(long, x)  # fact: tensor dtype ?
    torch.add(long, anything)  # fact: tensor dtype ?
    torch.mul(long, 2.5)  # fact: tensor float32
    torch.mul(half, 2)  # fact: tensor float16
    torch.pow(long, 2)  # fact: tensor int64
    torch.maximum(half, half)  # fact: tensor float16
    torch.logical_and(x, x)  # fact: tensor bool
    torch.einsum("i,i->", half, half)  # fact: tensor float16
    F.one_hot(long)  # fact: tensor int64
    F.relu(half)  # fact: tensor float16
    F.embedding(long, half.view(1, 1))  # fact: tensor float16
    F.softmax(x, 0, dtype=torch.float32)  # fact: tensor float32
    F.softmax(x, 0)  # fact: tensor dtype ?
    F.mse_loss(half, half)  # fact: tensor float16
    nn.Linear(1, 1)(x)  # fact: tensor floating
    nn.Embedding(2, 2)(long)  # fact: tensor floating
    nn.ReLU()(half)  # fact: tensor dtype ?
    nn.Identity()(half)  # fact: tensor dtype ?
    nn.Identity()(long)  # fact: tensor dtype ?
    nn.Flatten(0)(long)  # fact: tensor dtype ?
    nn.MaxPool1d(1)(half.view(1, 1))  # fact: tensor dtype ?
    torch.clamp(half, 0)  # fact: tensor float16
    torch.clamp(anything, 0)  # fact: tensor dtype ?
    torch.not_a_function(half)  # fact: unknown dtype ?
    half.not_a_method()  # fact: unknown dtype ?
    return anything.forward(half)  # fact: unknown dtype ?


def demo():
    x = torch.zeros(1)
    converted(x, x, "cpu", torch.float64, x)
    reduced(x, x)
    asked_for_what_tensors_have(x, x, nn.Linear(1, 1))
    torch.not_a_function = torch.Tensor.not_a_method = torch.Tensor.forward = lambda *_: 1
    functions(x, x.long(), x)
    del torch.not_a_function, torch.Tensor.not_a_method, torch.Tensor.forward
