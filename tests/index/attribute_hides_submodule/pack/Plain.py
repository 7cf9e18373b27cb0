from torch import nn


class Plain(nn.Module):
    pass
