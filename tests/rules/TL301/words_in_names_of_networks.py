"""A factor has the letters of an actor in it, and a magnet those of a net: what is computed with is a tensor."""
import torch
from torch import nn


def requantized(x, scaling_factor, weight_factor):
    scale = scaling_factor.type(torch.double) * weight_factor.type(torch.double)  # ok: TL301
    return (x / scale).type(torch.float32)  # ok: TL301


def kept_wide(magnet, cabinet, modeling_error):
    return magnet.type(torch.double), cabinet.type(torch.double), modeling_error.type(torch.double)  # ok: TL301


def of_what_comes_out(encoder_mask, teacher_score_map, agentPositions):
    return [one.type(torch.float16) for one in (encoder_mask, teacher_score_map, agentPositions)]  # ok: TL301


def sharpened(x, student, teacher):
    return teacher.type(torch.double) - student.type(torch.double)  # ok: TL301  whatever they are called


def first_of(extractor):
    half = extractor.type(torch.float16)  # ok: TL301  a slice of a tensor
    return half[:, 0]


def actors(actor, target_actor, resnet50, netG, modelEMA):
    actor.type(torch.float16)  # expect: TL301
    target_actor.type(torch.float16)  # expect: TL301
    resnet50.type(torch.float16)  # expect: TL301
    netG.type(torch.float16)  # expect: TL301
    return modelEMA.type(torch.float16)  # expect: TL301


def demonstrate():
    one = torch.ones(2, 2)
    for tensors in (requantized(one, one, one), sharpened(one, one, one), first_of(one)):
        assert tensors.is_floating_point()
    kept_wide(one, one, one)
    assert all(t.dtype == torch.float16 for t in of_what_comes_out(one, one, one))
    norms = [nn.BatchNorm1d(2) for _ in range(5)]
    actors(*norms)
    assert all(norm.num_batches_tracked.dtype == torch.float16 for norm in norms)
