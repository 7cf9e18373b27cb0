"""Before scaling, the loss is given the type of the logits (float16 under autocast): 65536 times the loss is inf.

source: speech recognition training loops with a multi-task loss
rules: [TL405]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Recognizer(nn.Module):
    def __init__(self, feat=5, units=7):
        super().__init__()
        self.enc = nn.Linear(feat, 8)
        self.ctc = nn.Linear(8, units)
        self.aux = nn.Linear(8, 2)

    def forward(self, x):
        h = torch.relu(self.enc(x))
        return self.ctc(h), self.aux(h)


def train_step(model, opt, scaler, x, units, lang):
    with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
        logits, aux = model(x)
        loss = F.cross_entropy(logits, units) + 0.3 * F.cross_entropy(aux, lang)
    loss = loss.type_as(logits)  # expect: TL405
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


def train_step_sum(model, opt, scaler, x, units, lang, accum=2):
    with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
        logits, aux = model(x)
        parts = [F.cross_entropy(logits, units), F.cross_entropy(aux, lang)]
    opt.zero_grad()
    scaler.scale(sum(parts).to(torch.float16) / accum).backward()  # expect: TL405
    scaler.step(opt)
    scaler.update()


def train_step_fixed(model, opt, scaler, x, units, lang, accum=2):
    with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
        logits, aux = model(x)
        loss = F.cross_entropy(logits, units) + 0.3 * F.cross_entropy(aux, lang)
    loss = loss.to(torch.float32) / accum  # ok: TL405
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    packed = torch.stack([loss.detach(), logits.detach().float().norm()])
    return packed.half().tolist()  # ok: TL405


def plain_half_step(model, opt, x, units):
    logits, _ = model.half()(x.half())
    loss = F.cross_entropy(logits.float(), units)
    opt.zero_grad()
    loss.half().backward()  # ok: TL405
    opt.step()
    return loss.detach()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(6, 5, device=DEVICE_TYPE)
    units, lang = torch.arange(6, device=DEVICE_TYPE), torch.tensor([0, 1] * 3, device=DEVICE_TYPE)

    def run(step):
        torch.manual_seed(0)
        model = Recognizer().to(DEVICE_TYPE)
        scaler = torch.amp.GradScaler(DEVICE_TYPE)
        start = model.enc.weight.detach().clone()
        step(model, torch.optim.SGD(model.parameters(), lr=0.1), scaler, x, units, lang)
        return torch.equal(start, model.enc.weight), scaler.get_scale()

    for broken in (train_step, train_step_sum):
        assert run(broken) == (True, 32768.0), "the step was skipped and the scale halved"
    assert run(train_step_fixed) == (False, 65536.0)
    model = Recognizer().to(DEVICE_TYPE)
    start = model.enc.weight.detach().half().clone()
    plain_half_step(model, torch.optim.SGD(model.parameters(), lr=0.1), x, units)
    assert not torch.equal(start, model.enc.weight)
