"""A mel front end is called inside the model's autocast region: its helpers cast by hand in front of matmul and Linear.

source: naver/must3r#10 (helper casts under a region); the audio setting is new
rules: [TL403]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def apply_filters(power, bank):
    return torch.matmul(bank.float(), power.float())  # expect: TL403


def speaker_code(head, frames):
    return head(frames.mean(-1).double())  # expect: TL403


def log_compress(mel):
    return mel.float().clamp(min=1e-6).log()  # ok: TL403


def apply_filters_fixed(power, bank):
    with torch.autocast(DEVICE_TYPE, enabled=False):
        return torch.matmul(bank.float(), power.float())  # ok: TL403


def speaker_code_fixed(head, frames):
    return head(frames.float().mean(-1))  # ok: TL403


def cosine_matrix(codes):
    # for the report, called after the region is closed
    codes = F.normalize(codes.double(), dim=-1)
    return codes @ codes.t()  # ok: TL403


class Recogniser(nn.Module):
    def __init__(self, bins=9, mels=4, dim=6):
        super().__init__()
        self.register_buffer("bank", torch.rand(mels, bins))
        self.conv, self.head = nn.Conv1d(mels, dim, 3, padding=1), nn.Linear(dim, 3)

    def mel(self, power):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            return log_compress(apply_filters(power, self.bank))

    def code(self, mel):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            return speaker_code(self.head, self.conv(mel))


class RecogniserFixed(Recogniser):
    def mel(self, power):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            return log_compress(apply_filters_fixed(power, self.bank))

    def code(self, mel):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            out = speaker_code_fixed(self.head, self.conv(mel))
        return out, cosine_matrix(out)


def demonstrate():
    torch.manual_seed(0)
    power = torch.rand(2, 9, 5, device=DEVICE_TYPE)
    bad = Recogniser().to(DEVICE_TYPE)
    good = RecogniserFixed().to(DEVICE_TYPE)
    good.load_state_dict(bad.state_dict())
    exact = (bad.bank @ power).clamp(min=1e-6).log()
    assert torch.allclose(good.mel(power), exact, atol=1e-5)
    assert not torch.allclose(bad.mel(power), exact, atol=1e-4), "matmul ran in bf16 in spite of the casts"
    try:
        bad.code(exact)
        raise AssertionError("double input met bf16 weights")
    except RuntimeError as err:
        assert "dtype" in str(err)
    code, cos = good.code(exact)
    assert code.shape == (2, 3) and cos.dtype is torch.float64
