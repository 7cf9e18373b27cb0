"""A look-alike for machines without torch."""


class nn:  # class: plain
    class Module:  # class: plain
        pass

    class Linear(Module):
        pass
