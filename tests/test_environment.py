"""Where imports lead on disk: environments of every layout, and the roots of the user's own code."""

from __future__ import annotations

import os
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from torchlint.environment import (
    Environment,
    NoEnvironmentError,
    environment_at,
    environment_of,
    import_roots,
    project_root,
)

SITE = "lib/python3.11/site-packages"

Tree = Callable[..., Path]


@pytest.fixture(autouse=True)
def _no_environment_of_the_person(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No active environment and no packages of the person who runs the tests."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONUSERBASE", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "of_this_process"))


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Make files (text by path), folders (a path that ends in "/") and links ("from" -> "to")."""

    def make(*names: str, files: dict[str, str] | None = None, links: dict[str, str] | None = None) -> Path:
        for name, text in {**dict.fromkeys(names, ""), **(files or {})}.items():
            place = tmp_path / name
            (place if name.endswith("/") else place.parent).mkdir(parents=True, exist_ok=True)
            if not name.endswith("/"):
                place.write_text(text, encoding="utf-8")
        for name, target in (links or {}).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).symlink_to(target)
        return tmp_path

    return make


def below(top: Path, *places: str) -> tuple[Path, ...]:
    return tuple(top / place for place in places)


# Layouts


@pytest.mark.parametrize("named", ["env", "env/bin/python", "env/bin/python3.11", f"env/{SITE}", "env/pyvenv.cfg"])
def test_a_virtual_environment_is_found_by_any_of_its_parts(named: str, tree: Tree) -> None:
    top = tree(
        f"env/{SITE}/",
        files={"env/pyvenv.cfg": "home = /usr/bin\nversion = 3.11.4\n"},
        links={"env/bin/python": "python3.11", "env/bin/python3.11": "../../base/bin/python3.11"},
    )
    assert environment_at(top / named).folders == below(top, f"env/{SITE}")


def test_the_python_of_an_environment_is_not_followed_out_of_it(tree: Tree) -> None:
    top = tree(
        f"env/{SITE}/",
        f"base/{SITE}/",
        "base/bin/python3.11",
        files={"env/pyvenv.cfg": "home = ../base/bin\n"},
        links={"env/bin/python": "../../base/bin/python3.11"},
    )
    assert environment_at(top / "env/bin/python").folders == below(top, f"env/{SITE}")


def test_a_link_to_the_python_of_an_environment_leads_there(tree: Tree) -> None:
    top = tree(
        f"env/{SITE}/",
        "env/bin/python",
        files={"env/pyvenv.cfg": ""},
        links={"home/bin/py": "../../again", "again": "env/bin/python"},
    )
    assert environment_at(top / "home/bin/py").folders == below(top, f"env/{SITE}")


def test_an_environment_whose_python_is_gone_still_has_its_packages(tree: Tree) -> None:
    top = tree(f"env/{SITE}/", files={"env/pyvenv.cfg": ""}, links={"env/bin/python": "/nowhere/python3"})
    assert environment_at(top / "env/bin/python").folders == below(top, f"env/{SITE}")


def test_links_that_go_round_end(tree: Tree) -> None:
    top = tree(links={"bin/python": "python3", "bin/python3": "python"})
    with pytest.raises(NoEnvironmentError):
        environment_at(top / "bin/python")


@pytest.mark.parametrize("named", ["env", "env/Scripts/python.exe", "env/Lib/site-packages"])
def test_a_virtual_environment_of_windows(named: str, tree: Tree) -> None:
    top = tree("env/Lib/site-packages/", "env/Scripts/python.exe", files={"env/pyvenv.cfg": "home = C:\\Python311\n"})
    assert environment_at(top / named).folders == below(top, "env/Lib/site-packages")


@pytest.mark.parametrize("named", ["Python311", "Python311/python.exe"])
def test_an_installation_of_windows(named: str, tree: Tree) -> None:
    top = tree("Python311/Lib/site-packages/", "Python311/python.exe")
    assert environment_at(top / named).folders == below(top, "Python311/Lib/site-packages")


@pytest.mark.parametrize("named", ["versions/3.11.9", "versions/3.11.9/bin/python3", "versions/3.11.9/bin/python3.11"])
def test_an_installation_of_pyenv_or_conda(named: str, tree: Tree) -> None:
    top = tree(
        f"versions/3.11.9/{SITE}/",
        "versions/3.11.9/bin/python3.11",
        links={"versions/3.11.9/bin/python3": "python3.11"},
    )
    assert environment_at(top / named).folders == below(top, f"versions/3.11.9/{SITE}")


def test_the_packages_of_debian(tree: Tree) -> None:
    top = tree(
        "usr/local/lib/python3.11/dist-packages/",
        "usr/lib/python3/dist-packages/",
        "usr/lib/python3.11/",
        "usr/bin/python3.11",
        links={"usr/bin/python3": "python3.11"},
    )
    wanted = below(top, "usr/local/lib/python3.11/dist-packages", "usr/lib/python3/dist-packages")
    assert environment_at(top / "usr/bin/python3").folders == wanted


def test_lib64_counts_once_where_it_is_a_link(tree: Tree) -> None:
    top = tree(f"env/{SITE}/", "own/lib64/python3.11/site-packages/", f"own/{SITE}/", links={"env/lib64": "lib"})
    assert environment_at(top / "env").folders == below(top, f"env/{SITE}")
    assert environment_at(top / "own").folders == below(top, f"own/{SITE}", "own/lib64/python3.11/site-packages")


@pytest.mark.parametrize("folder", ["pypy3.10", "python3.13t"])
def test_other_pythons(folder: str, tree: Tree) -> None:
    top = tree(f"env/lib/{folder}/site-packages/")
    assert environment_at(top / "env").folders == below(top, f"env/lib/{folder}/site-packages")


@pytest.mark.parametrize(
    ("named", "version"),
    [("usr/bin/python3.9", "3.9"), ("usr/bin/python3", "3.10"), ("usr", "3.10"), ("usr/bin/pypy", "3.12")],
)
def test_of_several_versions_the_interpreter_chooses_else_the_newest(named: str, version: str, tree: Tree) -> None:
    top = tree(
        *(f"usr/lib/python{some}/site-packages/" for some in ("3.9", "3.10", "3.12")),
        *("usr/bin/python3.9", "usr/bin/python3.10", "usr/bin/pypy"),
        links={"usr/bin/python3": "python3.10"},
    )
    assert environment_at(top / named).folders == below(top, f"usr/lib/python{version}/site-packages")


@pytest.mark.parametrize("line", ["version = 3.9.1", "version_info = 3.9.1.final.0", "Version=3.9.1"])
def test_the_configuration_says_which_version_holds(line: str, tree: Tree) -> None:
    top = tree(
        "env/lib/python3.9/site-packages/", "env/lib/python3.11/site-packages/", files={"env/pyvenv.cfg": f"{line}\n"}
    )
    assert environment_at(top / "env").folders == below(top, "env/lib/python3.9/site-packages")


def test_packages_of_the_system_and_of_the_user_follow_where_they_are_included(tree: Tree) -> None:
    top = tree(f"env/{SITE}/", f"base/{SITE}/", "base/lib/python3.12/site-packages/", f"home/.local/{SITE}/")
    (top / "env/pyvenv.cfg").write_text(
        f"home = {top}/base/bin\ninclude-system-site-packages = true\nversion = 3.11.4\n"
    )
    wanted = below(top, f"env/{SITE}", f"home/.local/{SITE}", f"base/{SITE}")
    assert environment_at(top / "env").folders == wanted


def test_packages_of_the_user_are_no_part_of_a_virtual_environment(tree: Tree) -> None:
    top = tree(f"env/{SITE}/", f"home/.local/{SITE}/", files={"env/pyvenv.cfg": "include-system-site-packages = false"})
    assert environment_at(top / "env").folders == below(top, f"env/{SITE}")


@pytest.mark.parametrize("text", ["", "\0\0", "include-system-site-packages = true", "home\n= 3\nversion = new\n"])
def test_a_broken_configuration_is_passed_over(text: str, tree: Tree) -> None:
    top = tree(f"env/{SITE}/", files={"env/pyvenv.cfg": text})
    assert environment_at(top / "env").folders == below(top, f"env/{SITE}")


def test_an_environment_made_by_python_itself(tmp_path: Path) -> None:
    venv.create(tmp_path / "env", symlinks=os.name != "nt")
    (folder,) = environment_at(tmp_path / "env").folders
    assert folder.name == "site-packages"
    assert folder.is_relative_to(tmp_path / "env")


@pytest.mark.parametrize("named", ["src", "bin/ls", "src/model.py", "shims/python"])
def test_what_is_no_environment_is_said(named: str, tree: Tree) -> None:
    top = tree("src/model.py", "bin/ls", "shims/python")
    with pytest.raises(NoEnvironmentError) as error:
        environment_at(top / named)
    sentence = f"{top / named} is no Python environment: name its python, its folder or its site-packages"
    assert str(error.value) == sentence


def test_what_does_not_exist_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoEnvironmentError, match=r"there is no file or folder .*nowhere"):
        environment_at(tmp_path / "nowhere")


# Files that point elsewhere


def test_folders_in_a_pth_file_follow_their_site_folder(tree: Tree) -> None:
    top = tree(f"env/{SITE}/beside/", "far/src/", files={"env/pyvenv.cfg": ""})
    (top / "env" / SITE / "b.pth").write_text(
        f"# {top}/far\nimport sys; sys.path.append({str(top)!r})\n\n{top}/far/src\nbeside\n{top}/nowhere\n"
    )
    (top / "env" / SITE / ".hidden.pth").write_text(f"{top}\n")
    wanted = below(top, f"env/{SITE}", "far/src", f"env/{SITE}/beside")
    assert environment_at(top / "env").folders == wanted


@pytest.mark.parametrize("content", [b"\xff\xfe\x00\x01", b"x" * 100_000, b"a\0b\n", b"\n\n", b"/etc/passwd\n"])
def test_a_broken_pth_file_adds_nothing(content: bytes, tree: Tree) -> None:
    top = tree(f"env/{SITE}/")
    (top / "env" / SITE / "broken.pth").write_bytes(content)
    (top / "env" / SITE / "folder.pth").mkdir()
    assert environment_at(top / "env").folders == below(top, f"env/{SITE}")


def finder(mapping: str) -> str:
    """The shape of what setuptools writes."""
    return f"from __future__ import annotations\n\nMAPPING: dict[str, str] = {mapping}\nNAMESPACES = {{}}\n"


def test_editable_installs_of_setuptools_are_read_not_run(tree: Tree) -> None:
    top = tree(f"env/{SITE}/", "far/src/pkg/__init__.py", "far/lib/__init__.py", "far/space/part/__init__.py")
    mapping = {"pkg": f"{top}/far/src/pkg", "renamed": f"{top}/far/lib", "space.part": f"{top}/far/space/part"}
    (top / "env" / SITE / "__editable___pkg_0_1_finder.py").write_text(finder(repr(mapping)))
    (top / "env" / SITE / "__editable__.pkg-0.1.pth").write_text("import __editable___pkg_0_1_finder\n")
    found = environment_at(top / "env")
    site = top / "env" / SITE
    assert found.editable == {name: Path(place) for name, place in mapping.items()}
    assert found.roots_of("pkg") == (top / "far/src", site)
    assert found.roots_of("space") == (top / "far", site)
    assert found.roots_of("renamed") == found.roots_of("numpy") == (site,)


@pytest.mark.parametrize("text", ["", "MAPPING = {", finder("{1: 2}"), finder("{'a': open('b')}"), finder("{'a'}")])
def test_a_broken_finder_adds_nothing(text: str, tree: Tree) -> None:
    top = tree(f"env/{SITE}/", files={f"env/{SITE}/__editable___pkg_0_1_finder.py": text})
    assert environment_at(top / "env").editable == {}


# Which environment


def test_the_active_environment_comes_first_then_that_of_the_project(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = ("active", "conda", "project/.venv", "project/venv", "of_this_process")
    top = tree(*(f"{place}/{SITE}/torch/" for place in places))
    monkeypatch.setenv("VIRTUAL_ENV", str(top / "active"))
    monkeypatch.setenv("CONDA_PREFIX", str(top / "conda"))
    for place in places:
        assert environment_of(None, top / "project").folders == below(top, f"{place}/{SITE}")
        (top / place).rename(top / "gone")
        environment_at.cache_clear()
        (top / "gone").rename(top / f"gone_{place.replace('/', '_')}")
    assert environment_of(None, top / "project") == Environment()


def test_the_environment_of_a_hook_gives_way_to_one_with_torch(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    top = tree(f"hook/{SITE}/torchlint/", f"project/.venv/{SITE}/torch/")
    monkeypatch.setenv("VIRTUAL_ENV", str(top / "hook"))
    assert environment_of(None, top / "project").folders == below(top, f"project/.venv/{SITE}")
    assert environment_of(None, top).folders == below(top, f"hook/{SITE}")


def test_a_project_in_a_workspace_uses_the_environment_of_the_workspace(tree: Tree) -> None:
    top = tree(".git/", f".venv/{SITE}/torch/", "packages/one/pyproject.toml")
    assert environment_of(None, top / "packages/one").folders == below(top, f".venv/{SITE}")


def test_a_named_environment_holds_without_torch(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    top = tree(f"named/{SITE}/", f"active/{SITE}/torch/")
    monkeypatch.setenv("VIRTUAL_ENV", str(top / "active"))
    assert environment_of(top / "named", top).folders == below(top, f"named/{SITE}")


# The user's own code


@pytest.mark.parametrize("mark", ["pyproject.toml", "setup.py", "setup.cfg", ".git/"])
def test_the_nearest_mark_tells_the_project(mark: str, tree: Tree) -> None:
    top = tree(".git/", f"part/{mark}", "part/pkg/deep/model.py")
    assert project_root(top / "part/pkg/deep/model.py") == top / "part"


def test_a_module_called_setup_is_no_mark(tree: Tree) -> None:
    top = tree("setup.py", "pkg/__init__.py", "pkg/setup.py", "pkg/model.py")
    assert project_root(top / "pkg/model.py") == top


def test_without_a_mark_the_project_is_the_folder_above_the_package(tree: Tree) -> None:
    top = tree("lib/pkg/__init__.py", "lib/pkg/deep/__init__.py", "lib/pkg/deep/model.py")
    assert project_root(top / "lib/pkg/deep/model.py") == top / "lib"


def test_without_a_mark_a_program_reaches_up_to_its_scripts(tree: Tree) -> None:
    top = tree("run/train.py", "run/models/net.py", "run/models/parts/block.py", "other/net.py", "run/docs/notes/")
    assert project_root(top / "run/models/parts/block.py") == top / "run"
    assert project_root(top / "run/train.py") == top / "run"
    assert import_roots(top / "run/models/net.py") == below(top, "run/models", "run")
    assert project_root(top / "run/docs/notes/conf.py") == top / "run/docs/notes"


def test_folders_that_import_each_other_by_name_are_one_program(tree: Tree) -> None:
    top = tree("run/eval/test.py", "run/eval/old.py", "run/model/net.py", "run/alone/net.py")
    (top / "run/eval/test.py").write_text("import os\n\ndef build():\n    from model.net import Net\n")
    (top / "run/model/net.py").write_text("import alone_in_the_world\nimport model.parts\n")
    assert project_root(top / "run/eval/old.py") == top / "run"
    assert import_roots(top / "run/eval/old.py") == below(top, "run/eval", "run")
    assert project_root(top / "run/model/net.py") == top / "run/model"
    assert project_root(top / "run/alone/net.py") == top / "run/alone"


def test_a_folder_of_projects_is_no_program(tree: Tree) -> None:
    top = tree("all/stray.py", "all/first/net.py", "all/second/.git/", "all/second/net.py")
    assert project_root(top / "all/first/net.py") == top / "all/first"
    assert project_root(top / "all/second/net.py") == top / "all/second"


def test_a_home_is_no_program(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    top = tree("home/stray.py", "home/net/model.py")
    monkeypatch.setenv("HOME", str(top / "home"))
    assert project_root(top / "home/net/model.py") == top / "home/net"


def test_installed_code_does_not_belong_to_the_project_around(tree: Tree) -> None:
    top = tree("pyproject.toml", "utils/", f".venv/{SITE}/pkg/__init__.py")
    file = top / ".venv" / SITE / "pkg" / "model.py"
    assert project_root(file) == top / ".venv" / SITE
    assert import_roots(file) == (top / ".venv" / SITE, file.parent)


@pytest.mark.parametrize(
    ("names", "file", "roots"),
    [
        pytest.param(["pkg/__init__.py"], "pkg/a.py", ["", "pkg"], id="flat"),
        pytest.param(["src/pkg/__init__.py"], "src/pkg/a.py", ["src", "", "src/pkg"], id="src"),
        pytest.param(["src/pkg/__init__.py", "tests/"], "tests/a.py", ["tests", "", "src"], id="tests of src"),
        pytest.param(["tools/"], "tools/a.py", ["tools", ""], id="script"),
        pytest.param(["src/space/pkg/__init__.py"], "src/space/pkg/a.py", ["src/space", "", "src", "src/space/pkg"]),
        pytest.param(
            ["lib/pkg/__init__.py", "lib/pkg/gap/part/__init__.py"],
            "lib/pkg/gap/part/a.py",
            ["lib/pkg/gap", "lib", "", "lib/pkg/gap/part"],
            id="a folder without __init__.py between packages",
        ),
        pytest.param(
            ["models/__init__.py", "models/ops/setup.py", "models/ops/parts/__init__.py"],
            "models/ops/parts/a.py",
            ["models/ops", "", "models/ops/parts"],
            id="a build of its own inside",
        ),
        pytest.param(["__init__.py", "pkg/__init__.py"], "pkg/a.py", ["", "..", "pkg"], id="the repository a package"),
        pytest.param(["stubs/__init__.pyi"], "stubs/a.pyi", ["", "stubs"], id="stubs"),
    ],
)
def test_roots_of_imports(names: list[str], file: str, roots: list[str], tree: Tree) -> None:
    top = tree("repository/.git/", *(f"repository/{name}" for name in names)) / "repository"
    wanted = [Path(os.path.normpath(top / root)) for root in roots]
    assert list(import_roots(top / file)) == wanted


def test_a_package_within_a_workspace_sees_both_projects(tree: Tree) -> None:
    top = tree(".git/", "src/", "packages/one/pyproject.toml", "packages/one/src/one/__init__.py")
    file = top / "packages/one/src/one/a.py"
    assert import_roots(file) == below(top, "packages/one/src", "packages/one", "", "src", "packages/one/src/one")


def test_folders_of_the_settings_come_before_guesses(tree: Tree) -> None:
    top = tree(".git/", "src/", "lib/", "tests/")
    roots = import_roots(top / "tests/a.py", (top / "lib", top / "nowhere", top / "src"))
    assert roots == below(top, "tests", "lib", "src", "")


def test_without_a_project_an_unbroken_chain_comes_first(tree: Tree) -> None:
    top = tree("pkg/__init__.py", "pkg/gap/part/__init__.py")
    assert import_roots(top / "pkg/gap/part/a.py") == (top / "pkg/gap", top, top / "pkg/gap/part")


def test_a_folder_that_does_not_exist_is_no_root(tree: Tree) -> None:
    top = tree(".git/")
    assert import_roots(top / "new/a.py") == (top,)
