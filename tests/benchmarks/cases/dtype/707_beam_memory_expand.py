"""Encoder memory is repeated for every beam with expand and then flattened with view: an expanded axis cannot be merged.

source: captioning and translation decoders
rules: [TL205]
"""
import torch


def repeat_memory(memory, beam):
    b, n, d = memory.shape
    memory = memory.unsqueeze(1).expand(b, beam, n, d)
    return memory.view(b * beam, n, d)  # expect: TL205


def repeat_prefix(prefix, beam):
    wide = prefix[:, None, :].expand(-1, beam, -1)
    return wide.view(-1, prefix.size(-1))  # expect: TL205


def repeat_memory_fixed(memory, beam):
    b, n, d = memory.shape
    memory = memory.unsqueeze(1).expand(b, beam, n, d)
    return memory.reshape(b * beam, n, d)  # ok: TL205


def repeat_prefix_fixed(prefix, beam):
    wide = prefix.repeat_interleave(beam, dim=0)
    return wide.view(-1, prefix.size(-1))  # ok: TL205


def repeat_scores(scores, beam):
    wide = scores.unsqueeze(1).repeat(1, beam, 1)
    return wide.view(-1, scores.size(-1))  # ok: TL205


def head_keys(memory, beam, heads):
    b, n, d = memory.shape
    memory = memory.unsqueeze(1).expand(b, beam, n, d)
    return memory.view(b, beam, n, heads, d // heads)  # ok: TL205


def padding_bias(pad, heads, queries):
    b, n = pad.shape
    bias = pad.view(b, 1, 1, n).expand(b, heads, queries, n)  # ok: TL205
    return bias.float() * -1e4


def flat_weights(weights, beam):
    b, n = weights.shape
    wide = weights.unsqueeze(1).expand(b, beam, n)
    scaled = torch.cat([wide, 1 - wide], dim=-1)
    return scaled.view(b * beam, 2 * n)  # ok: TL205


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    memory, prefix, scores = torch.randn(2, 5, 8), torch.randint(0, 9, (2, 4)), torch.randn(2, 7)
    for broken in (lambda: repeat_memory(memory, 3), lambda: repeat_prefix(prefix, 3)):
        try:
            broken()
            raise AssertionError("view merged an expanded axis")
        except RuntimeError as err:
            assert "view size is not compatible" in str(err)
    wide = repeat_memory_fixed(memory, 3)
    assert wide.shape == (6, 5, 8) and torch.equal(wide[2], memory[0]) and torch.equal(wide[3], memory[1])
    assert repeat_prefix_fixed(prefix, 3).shape == (6, 4)
    assert repeat_scores(scores, 3).shape == (6, 7)
    assert head_keys(memory, 3, 2).shape == (2, 3, 5, 2, 4)
    assert padding_bias(torch.zeros(2, 5, dtype=torch.bool), 4, 3).shape == (2, 4, 3, 5)
    assert flat_weights(torch.rand(2, 5), 3).shape == (6, 10)
