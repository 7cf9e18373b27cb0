"""type(dtype) of what a function calls a network converts its buffers as well; of a tensor it converts the tensor."""
import torch
from torch import nn


def compressed(model):
    return model.type(torch.float16)  # expect: TL301


class Server:
    def __init__(self, encoder):
        self.encoder = encoder

    def start(self):
        self.encoder.type(torch.bfloat16)  # expect: TL301

    def served(self, x):
        return self.encoder(x.type(torch.bfloat16))  # ok: TL301


def compressed_output(model_output, encoder_mask):
    return model_output.type(torch.float16), encoder_mask.type(torch.float16)  # ok: TL301  tensors


def compressed_well(model):
    return model.to(torch.float16)  # ok: TL301


def demonstrate():
    assert compressed(nn.BatchNorm1d(2)).num_batches_tracked.dtype == torch.float16
    assert compressed_well(nn.BatchNorm1d(2)).num_batches_tracked.dtype == torch.int64
    server = Server(nn.Linear(2, 2))
    server.start()
    assert server.served(torch.rand(1, 2)).dtype == torch.bfloat16
    assert compressed_output(torch.rand(2), torch.ones(2))[0].dtype == torch.float16
