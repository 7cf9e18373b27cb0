"""Projects too long to write by hand: what is deep, or has more paths than anyone can walk."""

from __future__ import annotations

from index_marks import Fixture, fixture

_LEVELS = 50
_HANDS = 30
_DIAMONDS = 25
_STARS = 12
_PLAIN = "\n\nclass Plain:  # class: plain\n    pass\n"


def generated() -> list[Fixture]:
    """The projects, in order."""
    return [_deep_inheritance(), _ladder_of_diamonds(), _chain_of_reexports(), _ring_of_stars(), _name_in_no_star()]


def _deep_inheritance() -> Fixture:
    """Fifty classes in fifty files, each the base of the next."""
    files = {"level_00.py": _module("Level00", "nn.Module", ["table_00"], mark="module; buffers table_00") + _PLAIN}
    for level in range(1, _LEVELS):
        names = ", ".join(f"table_{number:02}" for number in range(level + 1))
        mark = f"module; buffers {names}" if level in (1, _LEVELS // 2, _LEVELS - 1) else ""
        imported = f"from level_{level - 1:02} import Level{level - 1:02}\n\n"
        body = _module(f"Level{level:02}", f"Level{level - 1:02}", [f"table_{level:02}"], mark)
        files[f"level_{level:02}.py"] = imported + body
    files[f"level_{_LEVELS - 1:02}.py"] += (
        "\n\nfrom level_00 import Plain\n\n\nclass PlainChild(Plain):  # class: plain\n    pass\n"
    )
    return fixture("deep_inheritance", files)


def _ladder_of_diamonds() -> Fixture:
    """Diamonds on top of each other: 2 to the power of 25 ways lead from the last class to the first."""
    files = {"step_00.py": _module("Top00", "nn.Module", ["top"], mark="module; buffers top") + _PLAIN}
    for step in range(1, _DIAMONDS):
        names = [f"{side}_{number:02}" for number in range(1, step + 1) for side in ("left", "right")]
        mark = f"module; buffers top, {', '.join(names)}" if step in (1, _DIAMONDS - 1) else ""
        below = f"Top{step - 1:02}"
        files[f"step_{step:02}.py"] = (
            f"from step_{step - 1:02} import {below}\n\n"
            + _module(f"Left{step:02}", below, [f"left_{step:02}"])
            + _module(f"Right{step:02}", below, [f"right_{step:02}"])
            + f"\n\nclass Top{step:02}(Left{step:02}, Right{step:02}):{_comment(mark)}\n    pass\n"
        )
    return fixture("ladder_of_diamonds", files)


def _chain_of_reexports() -> Fixture:
    """A class and a plain one that thirty files hand on."""
    files = {"hand_00.py": _module("Base", "nn.Module", ["table"], mark="module; buffers table") + _PLAIN}
    for number in range(1, _HANDS):
        files[f"hand_{number:02}.py"] = f"from hand_{number - 1:02} import Base, Plain\n"
    files["main.py"] = (
        f"from hand_{_HANDS - 1:02} import Base, Plain\n"
        "\n\nclass Child(Base):  # class: module; buffers table\n    pass\n"
        "\n\nclass PlainChild(Plain):  # class: plain\n    pass\n"
    )
    return fixture("chain_of_reexports", files)


def _ring_of_stars() -> Fixture:
    """Twelve files, each of which takes everything from all others."""
    last = f"Class{_STARS - 1:02}"
    main = (
        f"from ring.file_00 import {last}, Plain\n"
        f"\n\nclass Child({last}):  # class: module; buffers table_{_STARS - 1:02}\n    pass\n"
        "\n\nclass PlainChild(Plain):  # class: plain\n    pass\n"
    )
    return fixture("ring_of_stars", {"main.py": main, **_ring()})


def _name_in_no_star() -> Fixture:
    """The same ring asked for a name that none of the files has."""
    main = (
        "# not run: the name is not there\nfrom ring.file_00 import *\n"
        "\n\nclass Odd(Ghost):  # class: unknown\n    pass\n"
    )
    return fixture("name_in_no_star", {"main.py": main, **_ring()})


def _ring() -> dict[str, str]:
    files = {"ring/__init__.py": "from .file_00 import *\n"}
    for number in range(_STARS):
        others = [other for other in range(_STARS) if other != number]
        stars = "".join(f"from .file_{other:02} import *\n" for other in others)
        files[f"ring/file_{number:02}.py"] = _module(f"Class{number:02}", "nn.Module", [f"table_{number:02}"]) + stars
    files[f"ring/file_{_STARS - 1:02}.py"] += _PLAIN
    return files


def _module(name: str, base: str, buffers: list[str], mark: str = "") -> str:
    """A class that registers buffers, with the imports that it needs above it."""
    registered = "".join(f'        self.register_buffer("{buffer}", torch.zeros(1))\n' for buffer in buffers)
    return (
        "import torch\nfrom torch import nn\n"
        f"\n\nclass {name}({base}):{_comment(mark)}\n"
        f"    def __init__(self):\n        super().__init__()\n{registered}\n"
    )


def _comment(mark: str) -> str:
    return f"  # class: {mark}" if mark else ""
