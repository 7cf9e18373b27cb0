"""What torch says of the classes of an installed package, as it is stored between the two halves of the measure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Origin:
    """Where a name was registered: the first place outside torch.nn.Module itself. line: 1-based; 0: not known."""

    path: str = ""
    line: int = 0


@dataclass(frozen=True)
class Instance:
    """The state of an object, or of all objects of its class that were met; children are not looked into.

    buffers, parameters: the keys of `_buffers` and `_parameters`, also of those that hold None.
    others: plain attributes and child modules. within: the class whose object held this one; "" when built by itself.
    """

    buffers: dict[str, Origin]
    parameters: dict[str, Origin]
    others: frozenset[str]
    within: str = ""

    def merged(self, other: Instance) -> Instance:
        """The state of both objects; where one name has two origins, this object's."""
        return Instance(
            {**other.buffers, **self.buffers},
            {**other.parameters, **self.parameters},
            self.others | other.others,
            self.within,
        )


@dataclass(frozen=True)
class ClassTruth:
    """One class that the files of a package define.

    qualname: without "<locals>". line: of the class statement, 1-based. bases: "path::qualname" of the direct bases, or
    the dotted name of one that no source file defines. instance: None where no object could be had; why: the reason.
    """

    path: str
    qualname: str
    line: int
    is_module: bool
    bases: tuple[str, ...]
    instance: Instance | None = None
    why: str = ""

    @property
    def key(self) -> str:
        """The class in one string: "path::qualname"."""
        return f"{self.path}::{self.qualname}"


@dataclass(frozen=True)
class PackageTruth:
    """A package. folder: absolute. failed: the modules that cannot be imported, with the reason.

    generated: the number of classes that no class statement of the package's files defines.
    """

    name: str
    version: str
    folder: str
    imported: int
    failed: dict[str, str]
    generated: int
    classes: tuple[ClassTruth, ...] = field(default=())


def write(packages: Iterable[PackageTruth], path: Path) -> None:
    """Write the truth as JSON."""
    content = [asdict(package) for package in packages]
    path.write_text(json.dumps(content, indent=1, default=sorted), encoding="utf-8")


def read(path: Path) -> list[PackageTruth]:
    """What `write` wrote."""
    return [_package(one) for one in json.loads(path.read_text(encoding="utf-8"))]


def _package(stored: dict[str, Any]) -> PackageTruth:
    return PackageTruth(**{**stored, "classes": tuple(_class(one) for one in stored["classes"])})


def _class(stored: dict[str, Any]) -> ClassTruth:
    instance = stored["instance"]
    return ClassTruth(
        **{**stored, "bases": tuple(stored["bases"]), "instance": None if instance is None else instance_of(instance)}
    )


def instance_of(stored: dict[str, Any]) -> Instance:
    """An instance from its stored form."""
    return Instance(
        buffers={name: Origin(**origin) for name, origin in stored["buffers"].items()},
        parameters={name: Origin(**origin) for name, origin in stored["parameters"].items()},
        others=frozenset(stored["others"]),
        within=stored["within"],
    )
