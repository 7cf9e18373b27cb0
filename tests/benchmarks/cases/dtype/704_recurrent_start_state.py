"""A recurrent sequence model starts from torch.zeros and adds torch.randn noise, both on the CPU whatever the input is on.

source: char-rnn tutorials, issues "Input and hidden tensors are not at the same device"
rules: [TL204]
"""
import torch
from torch import nn


class NoisyTagger(nn.Module):
    def __init__(self, vocab=30, dim=8, tags=5):
        super().__init__()
        self.dim = dim
        self.embed = nn.Embedding(vocab, dim)
        self.inp = nn.Linear(dim, dim)
        self.rec = nn.Linear(dim, dim, bias=False)
        self.out = nn.Linear(dim, tags)

    def start(self, batch):
        return torch.zeros(batch, self.dim)  # expect: TL204

    def jitter(self, x, scale=0.1):
        noise = torch.randn(x.size())  # expect: TL204
        return x + scale * noise

    def forward(self, ids):
        x = self.embed(ids)
        if self.training:
            x = self.jitter(x)
        h = self.start(ids.size(0))
        steps = []
        for x_t in x.unbind(1):
            h = torch.tanh(self.inp(x_t) + self.rec(h))
            steps.append(h)
        return self.out(torch.stack(steps, dim=1))


class NoisyTaggerFixed(NoisyTagger):
    def __init__(self, vocab=30, dim=8, tags=5, stride=1):
        super().__init__(vocab, dim, tags)
        self.stride = stride

    def start(self, batch):
        weight = self.rec.weight
        return torch.zeros(batch, self.dim, device=weight.device, dtype=weight.dtype)  # ok: TL204

    def jitter(self, x, scale=0.1):
        noise = torch.randn_like(x)  # ok: TL204
        floor = torch.tensor(1e-3)  # ok: TL204
        return x + torch.maximum(noise * scale, -floor)

    def forward(self, ids):
        scores = super().forward(ids)
        window = torch.hann_window(ids.size(1)).to(scores)  # ok: TL204
        scores = scores * window.view(1, -1, 1)
        if self.stride > 1:
            kept = torch.arange(0, ids.size(1), self.stride)  # ok: TL204
            scores = scores[:, kept]
        return scores

    def vocabulary_report(self, vocab=30):
        # bookkeeping on the CPU, never part of forward
        return torch.zeros(vocab).scatter_(0, torch.arange(vocab), 1.0)  # ok: TL204


# ---- demonstration: not part of the graded code ----
def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    def on_cuda(model):
        for part in model.modules():
            for name, p in part._parameters.items():
                if p is not None:
                    part._parameters[name] = nn.Parameter(torch.zeros(p.shape, device="cuda"), requires_grad=False)
        return model

    ids = torch.randint(0, 30, (2, 4))
    assert NoisyTagger()(ids).shape == (2, 4, 5)  # the CPU hides the fault
    assert NoisyTaggerFixed(stride=2)(ids).shape == (2, 2, 5)
    assert NoisyTaggerFixed().vocabulary_report().sum() == 30
    with FakeTensorMode():
        bad, good = on_cuda(NoisyTagger()), on_cuda(NoisyTaggerFixed())
        ids = torch.zeros(2, 4, dtype=torch.long, device="cuda")
        for training in (True, False):  # noise first, the start state second
            bad.train(training)
            try:
                bad(ids)
                raise AssertionError("CPU tensor mixed with a cuda tensor")
            except RuntimeError as err:
                assert "device" in str(err), err
        out = good(ids)
        assert out.shape == (2, 4, 5) and out.device.type == "cuda"
