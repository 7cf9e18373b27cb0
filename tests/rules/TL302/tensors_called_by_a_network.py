"""What is halved is called by a network, but is what the network gives or gets: no class of the file runs in half."""
import torch
from torch import nn


class Direction(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        x = self.proj(x)
        return x / (x.square().sum(-1, keepdim=True) + 1e-8)  # ok: TL302


def stored(teacher_logits, encoder_hidden_states):
    return teacher_logits.half().numpy(), encoder_hidden_states.to(torch.float16).numpy()


def packed(clip, model_output):
    return torch.stack((clip.half(), model_output.half()))
