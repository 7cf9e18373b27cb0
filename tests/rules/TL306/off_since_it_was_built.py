"""A constructor that switches gradients off does so for all that runs later."""
import torch
import torch.nn.functional as F
from torch import nn


class Answering:
    def __init__(self, path, build):
        self.model = build()
        self.model.load_state_dict(torch.load(path))
        self.model.eval()

    def answer(self, batch):
        out = self.model(batch)
        return F.softmax(out, dim=-1).cpu().numpy()  # expect: TL306


class AnsweringQuietly(Answering):
    def __init__(self, path, build):
        super().__init__(path, build)
        torch.autograd.set_grad_enabled(False)

    def answer(self, batch):
        out = self.model(batch)
        return F.softmax(out, dim=-1).cpu().numpy()  # ok: TL306


class AnsweringAgain(Answering):
    def __init__(self, path, build):
        super().__init__(path, build)
        torch.autograd.set_grad_enabled(True)

    def answer(self, batch):
        out = self.model(batch)
        return F.softmax(out, dim=-1).detach().cpu().numpy()  # ok: TL306


def demonstrate():
    import tempfile

    before = torch.is_grad_enabled()
    with tempfile.NamedTemporaryFile() as file:
        torch.save(nn.Linear(2, 2).state_dict(), file.name)
        given = file.name, lambda: nn.Linear(2, 2)
        try:
            Answering(*given).answer(torch.ones(1, 2))
            raise AssertionError("numpy() took what autograd records")
        except RuntimeError as error:
            assert "requires grad" in str(error)
        try:
            assert AnsweringQuietly(*given).answer(torch.ones(1, 2)).shape == (1, 2)
        finally:
            torch.set_grad_enabled(before)
        assert AnsweringAgain(*given).answer(torch.ones(1, 2)).shape == (1, 2)
