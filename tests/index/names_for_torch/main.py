"""Names that other files give to torch's classes and packages, and names that only look like torch's."""
import names
from names import Base, F, Module, nn, th
from names import Root as Plain


class OfValue(Base):  # class: module
    pass


class OfAttribute(names.Base):  # class: module
    pass


class OfPackage(nn.Module):  # class: module
    pass


class OfPackageOfFile(names.nn.Linear):  # class: module; parameters weight, bias
    def __init__(self):
        super().__init__(2, 2)


class OfTorch(th.nn.Module):  # class: module
    pass


class OfRoot(Plain):  # class: module
    pass


class OfAnnotated(names.Annotated):  # class: module
    pass


class OnlyCalledModule(Module):  # class: plain
    pass


class OnlyCalledF(F.Module):  # class: plain
    pass
