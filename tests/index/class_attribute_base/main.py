"""Bases that are attributes of classes: nested classes and names that a class holds."""
import families
from families import Child, Family, Other


class OfInner(Family.Inner):  # class: module; buffers table
    pass


class OfDotted(families.Family.Inner):  # class: module; buffers table
    pass


class OfDeeper(Family.Middle.Inner):  # class: module; buffers deep
    pass


class OfHeld(Family.held):  # class: module
    pass


class OfInherited(Child.Inner):  # class: module; buffers table
    pass


class OfPlain(Other.Inner):  # class: plain
    pass


class OfTheFamily(Family):  # class: plain
    pass
