"""Puts the weights of one layer into another, whatever its class."""


class Container:
    def __init__(self, module, trained):
        self.module = module
        self.trained = trained

    def copy_data(self):
        self.module.inter_w.data = self.trained.weight
        self.module.norm_w.data.copy_(self.trained.bias)  # ok: TL202
        print(self.module.gate_w.data.shape)
