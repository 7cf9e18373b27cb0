"""What a call of unknown result has made is a network where the function treats it as one."""
import importlib

import torch

TOOLS = importlib.import_module("functools")
LAYERS = importlib.import_module("torch.nn")


def counted(x):
    made = LAYERS.Linear(3, 2)
    size = sum(one.numel() for one in made.parameters())
    return made(x).numpy(), size  # expect: TL306


def cut(x):
    made = LAYERS.Linear(3, 2)
    size = sum(one.numel() for one in made.parameters())
    return made(x).detach().numpy(), size  # ok: TL306


def function_of_parts(x):
    made = TOOLS.partial(torch.mul, torch.ones(3))
    return made(x).numpy(), made.args  # ok: TL306


class Tokenizer:
    @classmethod
    def from_pretrained(cls, name):
        return cls()

    def __call__(self, words):
        return torch.arange(len(words))


class Loaded(torch.nn.Linear):
    @classmethod
    def from_pretrained(cls, name, torch_dtype=None):
        return cls(3, 2).to(torch_dtype)


KINDS = {"words": Tokenizer, "net": Loaded}


@torch.inference_mode()
def loaded(x, name="net"):
    made = KINDS[name].from_pretrained("base", torch_dtype=torch.bfloat16)
    return made(x.bfloat16()).float().numpy()  # ok: TL306


def demonstrate():
    x = torch.ones(1, 3)
    try:
        counted(x)
        raise AssertionError("numpy took what autograd records")
    except RuntimeError as error:
        assert "requires grad" in str(error)
    cut(x), function_of_parts(x), loaded(x), Tokenizer.from_pretrained("base")("ab")
