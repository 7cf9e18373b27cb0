"""Methods that switch to eval() and loop; whether autograd records is up to who calls them."""
from torch import nn


class Recognizer(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.encoder = nn.Linear(dim, dim)

    def forward(self, x):
        return self.encoder(x)

    def decode_all(self, batches):
        self.eval()  # ok: TL304  its caller turns gradients off; a test and another class do not count
        return [self(batch) for batch in batches]

    def score_all(self, batches):
        self.eval()  # expect: TL304
        return [self(batch) for batch in batches]
