"""Classes that inherit from torch's own layers, with what those register."""
import torch
from torch import nn


class Affine(nn.Linear):  # class: module; parameters weight, bias; buffers mask
    def __init__(self):
        super().__init__(2, 2)
        self.register_buffer("mask", torch.ones(2, 2))


class WithoutBias(nn.Linear):  # class: module; parameters weight, bias
    def __init__(self):
        super().__init__(2, 2, bias=False)


class Convolution(nn.Conv2d):  # class: module; parameters weight, bias
    def __init__(self):
        super().__init__(1, 1, 3)


class FixedNorm(nn.BatchNorm2d):  # class: module; parameters weight, bias; buffers running_mean, running_var, num_batches_tracked
    def __init__(self):
        super().__init__(2, affine=False)


class UntrackedNorm(nn.BatchNorm1d):  # class: module; parameters weight, bias; buffers running_mean, running_var, num_batches_tracked
    def __init__(self):
        super().__init__(2, track_running_stats=False)


class Attention(nn.MultiheadAttention):  # class: module; parameters in_proj_weight, in_proj_bias, q_proj_weight, k_proj_weight, v_proj_weight, bias_k?, bias_v?; modules out_proj
    def __init__(self):
        super().__init__(4, 2)


class Memory(nn.LSTM):  # class: module; parameters weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0
    def __init__(self):
        super().__init__(2, 2)


class DeepMemory(nn.GRU):  # class: module; parameters weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, weight_ih_l1, weight_hh_l1, bias_ih_l1, bias_hh_l1
    def __init__(self):
        super().__init__(2, 2, num_layers=2)


class Words(nn.Embedding):  # class: module; parameters weight
    def __init__(self):
        super().__init__(3, 2)


class Norm(nn.LayerNorm):  # class: module; parameters weight, bias
    def __init__(self):
        super().__init__(2)


class RootNorm(nn.RMSNorm):  # class: module; parameters weight
    def __init__(self):
        super().__init__(2)


class Bend(nn.PReLU):  # class: module; parameters weight
    pass


class Weighted(nn.CrossEntropyLoss):  # class: module; buffers weight
    pass


class Shape(nn.ReLU):  # class: module; plain weight
    def __init__(self):
        super().__init__()
        self.weight = torch.zeros(1)
