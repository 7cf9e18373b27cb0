"""What a generator or a helper gives one by one lies where its inputs are; sheets that are padded together lie where each was made."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence


class Scales(nn.Module):
    def terms(self, preds, goal):
        for pred in preds:
            yield F.l1_loss(pred, goal)

    def listed(self, preds, goal):
        return [F.l1_loss(pred, goal) for pred in preds]

    def names(self, preds):
        for pred in preds:
            yield torch.zeros(1)

    def forward(self, preds, goal):
        total = torch.zeros(1)  # expect: TL204
        for term in self.terms(preds, goal):
            total = total + term
        return total

    def of_numbers(self, preds, goal):
        total = torch.tensor(0.0)  # ok: TL204  a single number beside others
        for term in self.terms(preds, goal):
            total = total + term
        return total

    def counted(self, preds, goal):
        total = torch.zeros(1)  # ok: TL204  both are made on the CPU
        for term in self.names(preds):
            total = total + term
        return total, goal


class Summed(Scales):
    def forward(self, preds, goal):
        total = torch.zeros(1)  # expect: TL204
        for term in self.listed(preds, goal):
            total += term
        return total


class Drawn(nn.Module):
    def forward(self, x):
        return x + jitter(self, 3)


def jitter(module, size):
    return torch.zeros(size)  # expect: TL204


class Guide(nn.Module):
    def sheet(self, rows, like):
        return torch.linspace(0, 1, rows)  # expect: TL204

    def forward(self, align, rows):
        return align * pad_sequence([self.sheet(count, align) for count in rows], batch_first=True)


class MovedGuide(nn.Module):
    def sheet(self, rows):
        return torch.linspace(0, 1, rows)  # ok: TL204

    def forward(self, align, rows):
        return align * pad_sequence([self.sheet(count) for count in rows], batch_first=True).to(align.device)


def demo():
    from torch._subclasses.fake_tensor import FakeTensorMode

    assert MovedGuide()(torch.zeros(2, 3, device="meta"), [3, 2]).device.type == "meta"
    assert Guide()(torch.zeros(2, 3), [3, 2]).shape == (2, 3)
    try:
        Guide()(torch.zeros(2, 3, device="meta"), [3, 2])
        raise AssertionError("the devices were mixed")
    except RuntimeError as error:
        assert "device" in str(error)
    with FakeTensorMode():
        preds, goal = [torch.zeros(2, device="cuda")], torch.zeros(2, device="cuda")
        assert Scales().of_numbers(preds, goal).device.type == "cuda"
        for refused in (Scales().forward, Summed().forward):
            try:
                refused(preds, goal)
                raise AssertionError("the devices were mixed")
            except RuntimeError as error:
                assert "device" in str(error)
