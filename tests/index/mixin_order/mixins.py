import torch


class Tables:  # class: plain
    def build(self):
        self.register_buffer("mixed", torch.zeros(1))


class Words:  # class: plain
    def build(self):
        self.words = []
