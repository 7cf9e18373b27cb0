"""What torch says: eval() leaves gradients on, the caller's no_grad turns them off."""
import torch
from decoding import decode, score
from recognizer import Recognizer


def demonstrate():
    batches = [torch.ones(2, 4)]
    assert not any(out.requires_grad for out in decode(Recognizer(), batches))
    assert all(out.requires_grad for out in score(Recognizer(), batches))
