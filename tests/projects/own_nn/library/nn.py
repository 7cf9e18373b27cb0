"""A package of its own that is called nn and has nothing to do with torch."""


class Module:
    def forward(self, x):
        return x


class Embedding(Module):
    def __call__(self, x):
        return x
