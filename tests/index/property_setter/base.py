from torch import nn


class Scaled(nn.Module):  # class: module; buffers _scale?
    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, value):
        self.register_buffer("_scale", value)
