"""Where imports lead on disk: the installed packages of the user's environment, and the roots of the user's own code.

Folders and small files are looked at; no interpreter is run, nothing is imported, and no folder is walked.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

_PROJECT_FILES = ("pyproject.toml", "setup.cfg")
INSTALLED = ("site-packages", "dist-packages")
_LIBRARIES = ("local/lib", "lib", "lib64")
_PROGRAMS = ("bin", "scripts")
# tempfile, which knows better, takes as long to import as all the rest here.
_TEMPORARY = ("/tmp", "/var/tmp", *(os.environ[name] for name in ("TMPDIR", "TEMP", "TMP") if name in os.environ))
_LINK_HOPS = 40  # as Linux allows

_VERSION = re.compile(r"(\d+)\.(\d+)", re.ASCII)
_VERSION_FOLDER = re.compile(r"(?:python|pypy)\d+\.\d+t?", re.ASCII)
_EDITABLE_MAPPING = re.compile(r"^MAPPING\b[^=\n]*=\s*(\{.*?\})\s*$", re.MULTILINE | re.DOTALL)

Version = tuple[int, int]


class NoEnvironmentError(Exception):
    """A path that is no Python environment; the text is a sentence that names the path."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Where the installed packages of an environment lie.

    folders: in the order in which Python would search them. editable: the packages of setuptools' editable installs,
    by import name ("pkg", "space.pkg"), each with its folder, or with the path of its file without the suffix.
    """

    folders: tuple[Path, ...] = ()
    editable: Mapping[str, Path] = field(default_factory=dict)

    def roots_of(self, name: str) -> tuple[Path, ...]:
        """The folders in which a package or file of the top-level name `name` may lie, most likely first.

        An editable package whose folder has another name than the package is in `editable` only.
        """
        editable = (_root_of(dotted, place) for dotted, place in self.editable.items() if _top(dotted) == name)
        return tuple(dict.fromkeys((*filter(None, editable), *self.folders)))

    def has(self, name: str) -> bool:
        """Whether a package with the top-level name `name` is installed."""
        is_editable = any(_top(dotted) == name for dotted in self.editable)
        return is_editable or any(os.path.isdir(folder / name) for folder in self.folders)


def _top(dotted: str) -> str:
    return dotted.partition(".")[0]


def _root_of(dotted: str, place: Path) -> Path | None:
    """The folder that `place` is imported from as `dotted`; None where the folders have other names."""
    names = tuple(dotted.split("."))
    return place.parents[len(names) - 1] if place.parts[-len(names) :] == names else None


# The environment


def environment_of(python: Path | None, project: Path) -> Environment:
    """The environment that `python` names, else the one in which the code of the folder `project` most likely runs.

    python: an interpreter, a link to one, the folder of an environment, or its site-packages; raises
    NoEnvironmentError for anything else. None: the first of $VIRTUAL_ENV, $CONDA_PREFIX, a .venv or venv in the project
    (or in the projects around it), and the environment of this process that holds torch, else the first that exists.
    A hook or tool runs in an environment of its own, often without torch: that says nothing about the project's.
    """
    if python is not None:
        return environment_at(python)
    existing: list[Environment] = []
    for place in _usual_places(project):
        try:
            found = environment_at(place)
        except NoEnvironmentError:
            continue
        if found.has("torch"):
            return found
        existing.append(found)
    return existing[0] if existing else Environment()


def interpreter_of(python: Path | None, project: Path) -> Path:
    """The interpreter that runs the code of the folder `project`: of the environment that environment_of finds.

    python: an interpreter, or the folder of an environment; None for the usual places.
    """
    places = (python,) if python is not None else tuple(_usual_places(project))
    found = [program for place in places if (program := _interpreter_in(place)) is not None]
    with_torch = (program for program in found if environment_at(program).has("torch"))
    return next(with_torch, found[0] if found else Path(sys.executable))


def _interpreter_in(place: Path) -> Path | None:
    """The python of an environment's folder or site-packages; an interpreter itself."""
    if place.is_file():
        return place
    folders = (place, *place.parents[:3]) if place.name in INSTALLED else (place,)
    programs = [folder / part for folder in folders for part in ("bin/python", "bin/python3", "Scripts/python.exe")]
    return next((program for program in programs if program.is_file()), None)


def _usual_places(project: Path) -> Iterator[Path]:
    active = (os.environ.get(variable) for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"))
    yield from (Path(place) for place in active if place)
    for folder in dict.fromkeys((project, *_projects(project))):
        yield folder / ".venv"
        yield folder / "venv"
    yield Path(sys.prefix)


@lru_cache(maxsize=64)
def environment_at(python: Path) -> Environment:
    """The environment of an interpreter or folder, as in environment_of. Raises NoEnvironmentError."""
    if not os.path.lexists(python):
        raise NoEnvironmentError(f"there is no file or folder {python}")
    if not os.path.isdir(python):
        folders = _folders_of(python)
    elif python.name in INSTALLED:
        folders = (python,)
    else:
        folders = _folders_in(python, _links(python / "bin" / "python3"))
    if folders is None:
        raise NoEnvironmentError(f"{python} is no Python environment: name its python, its folder or its site-packages")
    return _with_paths(folders)


def _folders_of(interpreter: Path) -> tuple[Path, ...] | None:
    """The site folders of an interpreter: of the first environment on the way along its links."""
    if not interpreter.name.lower().startswith("py"):
        return None
    links = _links(interpreter)
    found = (_folders_in(prefix, links) for link in links for prefix in _prefixes(link))
    return next((folders for folders in found if folders is not None), None)


def _prefixes(interpreter: Path) -> tuple[Path, ...]:
    """The folders that may be the environment of an interpreter: on Windows it may lie at the top."""
    folder = interpreter.parent
    return (folder.parent, folder) if folder.name.lower() in _PROGRAMS else (folder,)


def _links(path: Path) -> tuple[Path, ...]:
    """A path and what it leads to, link by link, for as long as there are links."""
    links = [_in_real_folder(path)]
    while len(links) < _LINK_HOPS:
        try:
            target = os.readlink(links[-1])
        except OSError:
            break
        links.append(_in_real_folder(links[-1].parent / target))
    return tuple(links)


def _in_real_folder(path: Path) -> Path:
    return Path(os.path.realpath(path.parent), path.name)


def _folders_in(prefix: Path, interpreters: Iterable[Path]) -> tuple[Path, ...] | None:
    """The site folders of the environment in the folder `prefix`, in order; None where there is no environment.

    interpreters: whose names may tell the version ("python3.12"), for a prefix that serves several.
    """
    version = next(filter(None, (_version(path.name) for path in interpreters)), None)
    configuration = _configuration(prefix / "pyvenv.cfg")
    if configuration is None:
        return _installed_in(prefix, version)
    version = _version(configuration.get("version") or configuration.get("version_info", "")) or version
    _, folders = _site_folders(prefix, version)
    if configuration.get("include-system-site-packages", "").lower() != "true" or "home" not in configuration:
        return folders
    home = _in_real_folder(Path(configuration["home"], "python"))
    system = (_installed_in(base, version) for base in _prefixes(home))
    return (*folders, *next(filter(None, system), ()))


def _configuration(file: Path) -> dict[str, str] | None:
    """The keys (in lower case) and values of a pyvenv.cfg; lines without a key say nothing. None: no such file."""
    if not os.path.isfile(file):
        return None
    pairs = (line.partition("=") for line in _text(file).splitlines())
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _installed_in(prefix: Path, wanted: Version | None) -> tuple[Path, ...] | None:
    """The site folders of an installation that is no virtual environment, those of the user first; None: no Python."""
    version, folders = _site_folders(prefix, wanted)
    if version is not None:
        return (*_user_folders(version), *folders)
    return folders or None


def _site_folders(prefix: Path, wanted: Version | None) -> tuple[Version | None, tuple[Path, ...]]:
    """The version that lies below `prefix` (the wanted one, if it is there, else the newest) and its site folders."""
    by_version: dict[Version, list[Path]] = {}
    for folder in (prefix / library / name for library in _LIBRARIES for name in _names_in(prefix / library)):
        version = _version(folder.name) if _VERSION_FOLDER.fullmatch(folder.name) else None
        if version is not None:
            by_version.setdefault(version, []).append(folder)
    chosen = wanted if wanted in by_version else max(by_version, default=None)
    own = [folder / name for folder in by_version.get(chosen, ()) for name in INSTALLED] if chosen else []
    # Debian keeps the packages of all versions in lib/python3; on Windows an environment has one version only.
    shared = (prefix / "lib" / "python3" / "dist-packages", prefix / "Lib" / "site-packages")
    return chosen, tuple(place for place in (*own, *shared) if os.path.isdir(place))


def _version(text: str) -> Version | None:
    written = _VERSION.search(text)
    return (int(written[1]), int(written[2])) if written else None


def _user_folders(version: Version) -> Iterator[Path]:
    """Where `pip install --user` puts packages: on Linux, on macOS, and on Windows."""
    major, minor = version
    base = os.environ.get("PYTHONUSERBASE") or os.path.expanduser("~/.local")
    places = [Path(base, "lib", f"python{major}.{minor}", "site-packages")]
    if sys.platform == "darwin":
        places.append(Path(os.path.expanduser("~/Library/Python"), f"{major}.{minor}", "lib/python/site-packages"))
    if "APPDATA" in os.environ:
        places.append(Path(os.environ["APPDATA"], "Python", f"Python{major}{minor}", "site-packages"))
    return (place for place in places if os.path.isdir(place))


def _with_paths(folders: Iterable[Path]) -> Environment:
    """The environment of some site folders, with the folders and packages that files in them point to."""
    found: list[Path] = []
    editable: dict[str, Path] = {}
    for folder in folders:
        found.append(folder)
        for name in _names_in(folder):
            if name.endswith(".pth") and not name.startswith("."):
                found += _folders_named_in(folder / name)
            elif name.startswith("__editable___") and name.endswith("_finder.py"):
                editable.update(_editable_packages(folder / name))
    # The paths that a user names are resolved too: one file must not count as two.
    real = dict.fromkeys(os.path.realpath(folder) for folder in found)
    return Environment(tuple(map(Path, real)), editable)


def _names_in(folder: Path) -> list[str]:
    """The names in a folder, in order; none where there is nothing to see."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _folders_named_in(file: Path) -> list[Path]:
    """The folders that a .pth file adds to the path. Its lines of code are not run: they add nothing that we know."""
    lines = (line.strip() for line in _text(file).splitlines())
    places = (file.parent / line for line in lines if line and not line.startswith(("#", "import ", "import\t")))
    return [place for place in places if os.path.isdir(place)]


def _editable_packages(finder: Path) -> dict[str, Path]:
    """What setuptools writes into the finder of an editable install, whose .pth file only imports it."""
    import ast

    written = _EDITABLE_MAPPING.search(_text(finder))
    try:
        mapping = ast.literal_eval(written[1]) if written else {}
        return {str(name): Path(os.path.realpath(place)) for name, place in mapping.items()}
    except (ValueError, SyntaxError, TypeError, AttributeError, MemoryError, RecursionError):
        return {}


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""


# The user's own code


def project_root(path: Path) -> Path:
    """The folder of the project that the file `path` belongs to: the nearest one above it that is marked as such.

    Where none is, the program that the file's package lies in. Of an installed file: its site-packages folder.
    """
    projects = _projects(path.parent)
    return projects[0] if projects else _program_around(path.parent)


def import_roots(file: Path, src: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """The folders in which an absolute import of the file `file` may begin, as Python would most plausibly search them.

    src: the folders of code that the settings name, absolute. What is installed comes after all of these.
    """
    return _roots_for(file.parent, src)


@lru_cache(maxsize=4096)
def _roots_for(folder: Path, src: tuple[Path, ...]) -> tuple[Path, ...]:
    projects = _projects(folder)
    above = _above_package(folder)
    # A repository whose root is a package itself lies beside others that it does not mean to import.
    is_inside = not projects or above.is_relative_to(projects[-1])
    roots = (
        *((above,) if is_inside else ()),
        *((_above_outermost_package(folder, projects[0]),) if projects else ()),
        *(Path(os.path.realpath(place)) for place in src if os.path.isdir(place)),
        *(root for project in projects for root in (project, project / "src")),
        above,
        *(() if projects else (_program_around(folder),)),
        # A file in a package may be run as a script as well.
        folder,
    )
    return tuple(root for root in dict.fromkeys(roots) if os.path.isdir(root))


@lru_cache(maxsize=4096)
def _projects(folder: Path) -> tuple[Path, ...]:
    """The project around a folder, then those around it, up to the repository."""
    if folder.name in INSTALLED:
        return (folder,)
    is_repository = os.path.exists(folder / ".git")
    around = () if is_repository or folder.parent == folder else _projects(folder.parent)
    return (folder, *around) if is_repository or _is_project(folder) else around


def _is_project(folder: Path) -> bool:
    # In a package, setup.py is a module of that name.
    marks = _PROJECT_FILES if _is_package(folder) else (*_PROJECT_FILES, "setup.py")
    return any(os.path.exists(folder / mark) for mark in marks)


def _above_package(folder: Path) -> Path:
    """The folder in which the top package around `folder` lies; `folder` itself where it is no package."""
    while _is_package(folder) and folder.parent != folder:
        folder = folder.parent
    return folder


@lru_cache(maxsize=4096)
def _program_around(folder: Path) -> Path:
    """The highest folder over `folder` that a program without any mark takes up: each on the way holds Python files, is
    a package, or holds a folder that the files below import by its name. Homes, folders for what is temporary, and
    those that hold projects are no programs."""
    root = _above_package(folder)
    while root.parent != root and _is_of_program(root.parent, root):
        root = _above_package(root.parent)
    return root


def _is_of_program(folder: Path, below: Path) -> bool:
    if folder in (Path.home(), *map(Path, _TEMPORARY)):
        return False
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return False
    folders = [Path(entry.path) for entry in entries if entry.is_dir()]
    if any(os.path.exists(one / ".git") or _is_project(one) for one in folders):
        return False
    has_files = any(entry.name.endswith(".py") and entry.is_file() for entry in entries)
    return has_files or _imports_any(below, {one.name for one in folders if one != below})


def _imports_any(folder: Path, names: Iterable[str]) -> bool:
    """True where a file of the folder imports one of the names."""
    words = "|".join(re.escape(name) for name in names if name.isidentifier())
    if not words:
        return False
    imported = re.compile(rf"^[ \t]*(?:from|import)[ \t]+(?:{words})\b".encode(), re.MULTILINE)
    try:
        files = [Path(entry.path) for entry in os.scandir(folder) if entry.name.endswith(".py") and entry.is_file()]
        return any(imported.search(file.read_bytes()) for file in files)
    except OSError:
        return False


def _above_outermost_package(folder: Path, project: Path) -> Path:
    """The same where folders without an __init__.py (PEP 420) may lie between packages of a project."""
    within = (around for around in (folder, *folder.parents) if project in around.parents)
    packages = [around for around in within if _is_package(around)]
    return packages[-1].parent if packages else folder


@lru_cache(maxsize=4096)
def _is_package(folder: Path) -> bool:
    return os.path.exists(folder / "__init__.py") or os.path.exists(folder / "__init__.pyi")
