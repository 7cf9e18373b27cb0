"""Every attribute that is a tensor is halved, by vars() or __dict__."""
import torch


class Batch:
    def __init__(self, size: int = 2):
        self.image = torch.ones(size)
        self.label = torch.arange(size) + 4097

    def halve(self):
        for name, value in vars(self).items():
            if isinstance(value, torch.Tensor):
                setattr(self, name, value.half())  # expect: TL301
        return self

    def halve_dict(self):
        for name in self.__dict__:
            value = self.__dict__[name]
            if torch.is_tensor(value):
                self.__dict__[name] = value.half()  # expect: TL301
        return self

    def halve_floating(self):
        for name, value in vars(self).items():
            if torch.is_tensor(value) and value.is_floating_point():
                setattr(self, name, value.half())  # ok: TL301
        return self

    def halve_image(self):
        self.image = self.image.half()  # ok: TL301
        return self


def demonstrate():
    for batch, exact in (
        (Batch().halve(), False), (Batch().halve_dict(), False), (Batch().halve_floating(), True),
        (Batch().halve_image(), True),
    ):
        assert batch.image.dtype == torch.float16
        assert (int(batch.label[0]) == 4097) is exact
