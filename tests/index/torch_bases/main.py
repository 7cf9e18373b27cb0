"""Bases of torch that are modules and are no layers, by the names that people write."""
import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.loss import _Loss
from torch.nn.modules.module import Module


class OfFile(Module):  # class: module
    pass


class OfNorm(_BatchNorm):  # class: module; parameters weight, bias; buffers running_mean, running_var, num_batches_tracked
    def __init__(self):
        super().__init__(2)


class OfLoss(_Loss):  # class: module
    pass


class OfConv(nn.modules.conv._ConvNd):  # class: module; not built
    pass


class OfAverage(torch.optim.swa_utils.AveragedModel):  # class: module; buffers n_averaged
    def __init__(self):
        super().__init__(nn.Linear(1, 1))


class OfGraph(torch.fx.GraphModule):  # class: module; not built
    pass


class OfInterpreter(torch.fx.Interpreter):  # class: plain
    pass


class OfFake(torch.ao.quantization.FakeQuantizeBase):  # class: module; not built
    pass


class OfContainer(nn.Sequential):  # class: module
    pass


class OfHook(torch.utils.hooks.RemovableHandle):  # class: plain
    pass


class OfPacked(nn.utils.rnn.PackedSequence):  # class: plain
    pass
