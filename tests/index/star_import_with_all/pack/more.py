from torch import nn

__all__ = ("Joined",)


class Joined(nn.Module):  # class: module
    pass


class Left(nn.Module):  # class: module
    pass
