"""`torchlint graph`: what it shows of a class, how a class is named, and what it says where something is not known."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import HAZARD, Command, Project

DATA = Path(__file__).parent / "data" / "graph"
DOCS = Path(__file__).parents[1] / "docs" / "graph.md"

Draw = Callable[..., dict[str, Any]]


@pytest.fixture
def shapes(project: Project) -> Path:
    """The package in data/graph/shapes, below the working directory."""
    files = {f"shapes/{file.name}": file.read_text(encoding="utf-8") for file in (DATA / "shapes").glob("*.py")}
    return project(files)


@pytest.fixture
def draw(torchlint: Command) -> Draw:
    """Run the command for JSON."""

    def drawn(*arguments: str) -> dict[str, Any]:
        done = torchlint("graph", *arguments, "--output-format", "json")
        assert (done.code, done.err) == (0, "")
        document: dict[str, Any] = json.loads(done.out)
        return document

    return drawn


def attribute(document: dict[str, Any], name: str) -> dict[str, Any]:
    found = [one for one in document["attributes"] if one["name"] == name]
    assert len(found) == 1
    return dict(found[0])


def places(sightings: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(one["method"], one["line"]) for one in sightings]


def unknown(document: dict[str, Any]) -> str:
    return "\n".join(gap["text"] for gap in document["not_known"])


# The whole


def test_the_text_for_people(shapes: Path, torchlint: Command) -> None:
    done = torchlint("graph", "Scale")
    assert done.code == 0
    assert done.out == (DATA / "scale.txt").read_text(encoding="utf-8")


def test_colour_changes_nothing_else(shapes: Path, torchlint: Command) -> None:
    coloured = torchlint("graph", "Scale", "--color", "always").out
    assert "\x1b[1m" in coloured
    for code in ("\x1b[1m", "\x1b[36m", "\x1b[0m"):
        coloured = coloured.replace(code, "")
    assert coloured == torchlint("graph", "Scale", "--color", "never").out


def test_every_key_of_the_json_is_described(shapes: Path, draw: Draw) -> None:
    described = DOCS.read_text(encoding="utf-8")
    keys: set[str] = set()

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            keys.update(value)
            value = list(value.values())
        for part in value if isinstance(value, list) else ():
            collect(part)

    collect(draw("Scale"))
    collect(draw("Odd"))
    assert {key for key in keys if f"`{key}`" not in described} == set()


# Bases


def test_bases_are_in_resolution_order_with_their_files(shapes: Path, draw: Draw) -> None:
    document = draw("Scale")
    assert [(base["qualname"], base["path"]) for base in document["bases"]] == [
        ("Scale", "shapes/layers.py"),
        ("Cached", "shapes/base.py"),
    ]
    assert [(base["name"], base["known"], base["of"]) for base in document["outside_bases"]] == [
        ("torch.nn.Module", "torch_module", "Cached")
    ]
    assert document["module"] == {"verdict": "yes", "because": "torch.nn.Module"}


def test_a_class_with_an_unknown_base_is_a_module_on_evidence(shapes: Path, draw: Draw) -> None:
    document = draw("Odd")
    assert document["module"]["verdict"] == "likely"
    assert "elsewhere.Mixin" in document["module"]["because"]
    assert document["outside_bases"][0]["known"] == "unknown"
    assert "the base elsewhere.Mixin of Odd is not found" in unknown(document)


def test_a_plain_class_is_no_module(shapes: Path, draw: Draw) -> None:
    assert draw("Outer")["module"]["verdict"] == "no"


# Attributes


def test_registered_names_in_a_loop_are_buffers(shapes: Path, draw: Draw) -> None:
    low = attribute(draw("Scale"), "low")
    assert (low["group"], low["persistence"], low["holds"]["dtype"]) == ("buffer", "persistent", "float32")


def test_a_buffer_of_a_base_is_born_there(shapes: Path, draw: Draw) -> None:
    steps = attribute(draw("Scale"), "steps")
    assert (steps["group"], steps["persistence"]) == ("buffer", "transient")
    assert places(steps["born"]) == [("Cached.__init__", 12)]
    assert places(steps["read"]) == [("Scale.forward", 39)]


def test_an_own_apply_moves_a_plain_tensor(shapes: Path, draw: Draw) -> None:
    offset = attribute(draw("Scale"), "offset")
    assert offset["group"] == "tensor"
    assert offset["holds"]["later_unknown"] is True
    assert [(answer["by"], places(answer["at"])) for answer in offset["moved_by"]] == [
        ("_apply", [("Scale._apply", 34)])
    ]


def test_the_apply_of_an_owner_in_another_file_moves_one_too(shapes: Path, draw: Draw) -> None:
    assert "an owner" in attribute(draw("Scale"), "anchors")["moved_by"][0]["by"]
    assert attribute(draw("Scale"), "spare")["moved_by"] == []


def test_a_cache_shows_what_drops_it(shapes: Path, draw: Draw) -> None:
    cache = attribute(draw("Scale"), "cache")
    assert places(cache["trained_by"][0]["at"]) == [("Cached.train", 15)]
    assert places(cache["evaluated_by"][0]["at"]) == [("Cached.train", 15)]
    assert cache["loaded_by"] == [{"by": "a load hook of the class", "at": [], "through": "is_ready"}]
    assert cache["written"][0]["decided_by"] == ["is_ready"]


def test_a_deleted_attribute_says_where(shapes: Path, draw: Draw) -> None:
    assert places(attribute(draw("Scale"), "spare")["deleted"]) == [("Scale.__init__", 27)]


def test_a_container_says_what_it_holds(shapes: Path, draw: Draw) -> None:
    parts = attribute(draw("Scale"), "parts")
    assert (parts["group"], parts["holds"]["element"]) == ("container", "tensor")


def test_hooks_and_overrides_have_places(shapes: Path, draw: Draw) -> None:
    document = draw("Scale")
    assert [(one["name"], one["of"], one["line"]) for one in document["overrides"]] == [
        ("_apply", "Scale", 33),
        ("train", "Cached", 14),
    ]
    assert [(one["call"], one["line"]) for one in document["hooks"]] == [("register_load_state_dict_post_hook", 28)]


# Not known


def test_a_name_that_nothing_assigns_is_not_known(shapes: Path, draw: Draw) -> None:
    assert "self.bias" in unknown(draw("Scale"))


def test_a_name_of_run_time_is_not_known(shapes: Path, draw: Draw) -> None:
    assert "setattr() with a name that is known only at run time" in unknown(draw("Odd"))


def test_what_a_decorator_and_a_strange_function_do_is_not_known(project: Project, draw: Draw) -> None:
    text = HAZARD.replace("class Scale", "@register\nclass Scale").replace(
        "self.offset", "adorn(self)\n        self.offset"
    )
    project({"layers.py": f"from elsewhere import adorn, register\n{text}"})
    said = unknown(draw("Scale"))
    assert "decorated with register" in said
    assert "passes the object to adorn" in said


def test_a_broken_file_among_the_bases_is_a_note(project: Project, torchlint: Command) -> None:
    project({"base.py": "class Base(\n", "layers.py": "from base import Base\n\n\nclass Scale(Base):\n    pass\n"})
    done = torchlint("graph", "Scale")
    assert done.code == 0
    assert "Base of Scale is not found" in done.out
    assert "cannot analyse base.py: invalid syntax at line 1" in done.out


def test_bases_in_a_circle_are_a_note(project: Project, draw: Draw) -> None:
    project({"a.py": "from b import B\nclass A(B): pass\n", "b.py": "from a import A\nclass B(A): pass\n"})
    document = draw("A")
    assert document["module"]["verdict"] == "no"
    assert "the bases go in a circle" in unknown(document)


def test_fifty_levels_of_bases(project: Project, draw: Draw) -> None:
    classes = [f"class L{level}(L{level - 1}): pass\n" for level in range(1, 51)]
    project({"deep.py": "from torch import nn\nclass L0(nn.Module): pass\n" + "".join(classes)})
    document = draw("L50")
    assert document["module"]["verdict"] == "yes"
    assert len(document["bases"]) == 51


# How a class is named


@pytest.mark.parametrize(
    "name",
    [
        "Scale",
        "layers.Scale",
        "shapes.layers.Scale",
        "shapes.Scale",
        "shapes/layers.py:Scale",
        "shapes/layers.py::Scale",
        "shapes/__init__.py:Scale",
    ],
)
def test_a_class_is_found_by(shapes: Path, draw: Draw, name: str) -> None:
    assert draw(name)["class"] == "shapes.layers.Scale"


@pytest.mark.parametrize("name", ["Outer.Head", "shapes.layers.Outer.Head", "shapes/layers.py:Head"])
def test_a_nested_class_is_found_by(shapes: Path, draw: Draw, name: str) -> None:
    assert draw(name)["class"] == "shapes.layers.Outer.Head"


def test_only_the_paths_are_searched(shapes: Path, draw: Draw) -> None:
    assert draw("Head", "shapes/model.py")["class"] == "shapes.model.Head"


def test_several_classes_of_a_name_are_listed(shapes: Path, torchlint: Command) -> None:
    done = torchlint("graph", "Head")
    assert (done.code, done.out) == (2, "")
    assert "2 classes are called Head" in done.err
    assert "shapes.layers.Outer.Head  shapes/layers.py:56" in done.err
    assert "shapes.model.Head         shapes/model.py:8" in done.err


def test_the_closest_names_are_offered(shapes: Path, torchlint: Command) -> None:
    done = torchlint("graph", "scael")
    assert done.code == 2
    assert "there is no class scael in 4 Python files" in done.err
    assert "shapes.layers.Scale  shapes/layers.py:10" in done.err


def test_a_wrong_path_of_a_right_name_lists_the_right_ones(shapes: Path, torchlint: Command) -> None:
    done = torchlint("graph", "shapes.heads.Scale")
    assert done.code == 2
    assert "shapes.layers.Scale  shapes/layers.py:10" in done.err


# Bad input


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["layers.py"], "names no class"),
        (["not a name"], "names no class"),
        (["nowhere.py:Scale"], "cannot find nowhere.py"),
        (["Scale", "nowhere"], "cannot find nowhere"),
        (["Scale", "empty"], "in 0 Python files"),
        (["torch.nn.Linear"], "known from tables"),
        (["Scale", "--config", "a.toml", "--isolated"], "exclude each other"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    project: Project, torchlint: Command, arguments: list[str], said: str
) -> None:
    (project({"clean.py": "x = 1\n"}) / "empty").mkdir()
    done = torchlint("graph", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_broken_file_that_may_define_the_class_is_named(project: Project, torchlint: Command) -> None:
    project({"broken.py": "class Scale(\n"})
    done = torchlint("graph", "Scale")
    assert done.code == 2
    assert "broken.py may define it, but cannot be analysed: invalid syntax at line 1" in done.err


def test_a_link_that_leads_nowhere_is_a_note(shapes: Path, draw: Draw) -> None:
    (shapes / "gone.py").symlink_to(shapes / "nothing.py")
    assert "cannot analyse nothing.py: no such file or directory" in unknown(draw("Scale"))


def test_a_missing_path_beside_others_exits_2_and_shows_the_class(shapes: Path, torchlint: Command) -> None:
    done = torchlint("graph", "Scale", "shapes", "nowhere")
    assert done.code == 2
    assert done.out.startswith("shapes.layers.Scale")
    assert done.err == "error: cannot find nowhere: there is no such file or folder\n"
