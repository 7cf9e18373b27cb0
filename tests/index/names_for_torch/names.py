import types
from typing import Type

import torch as th
from torch.nn import Module as Root

nn = th.nn
Base = nn.Module
Annotated: Type[th.nn.Module] = Base
Module = dict


class F:  # class: plain
    class Module:  # class: plain
        pass
