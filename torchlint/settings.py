"""What the user chose: read once from torchlint.toml or pyproject.toml and the options of the command line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from torchlint.environment import NoEnvironmentError, environment_at
from torchlint.findings import Confidence, Notification, Severity
from torchlint.source import CommandError

ALL = "ALL"
CONFIG_NAMES = ("torchlint.toml", "pyproject.toml")
DEVICES = ("auto", "cpu", "cuda", "mps", "sim")
SEVERITIES = tuple(severity.value for severity in Severity)
CONFIDENCES = tuple(confidence.value for confidence in Confidence)

_FACTORY = re.compile(r"[\w.]+:[\w.]+")
_TOML_PLACE = re.compile(r"^(.*?) \(at (.*)\)$")

Choice = TypeVar("Choice", bound=Enum)


class SettingsError(CommandError):
    """A setting that we cannot obey; the text is a whole sentence that names the file or option."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns as in a .gitignore that lies in the folder `base`."""

    base: Path
    globs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConfirmSettings:
    """How classes are run. device: one of DEVICES. timeout: seconds for one class. memory: MiB for one class.

    classes: hints by the dotted end of a class's name: how it is built ("init", "factory") and called ("inputs").
    """

    device: str = "auto"
    timeout: float = 30.0
    memory: int = 4096
    classes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices for one folder. Codes may be prefixes ("TL1") or "ALL".

    exclude: None means the usual folders. min_confidence: None means medium, or low when everything is selected.
    severity: per rule, in place of its own. python: where installed packages are found (see environment.py), None means
    the active environment. src: folders of code, absolute. source: the file that the settings come from, None for none.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[Patterns, tuple[str, ...]], ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    exclude: Patterns | None = None
    extend_exclude: tuple[Patterns, ...] = ()
    show_notes: bool = False
    min_confidence: Confidence | None = None
    python: Path | None = None
    src: tuple[Path, ...] = ()
    confirm: ConfirmSettings = field(default_factory=ConfirmSettings)
    source: Path | None = None

    def enables(self, code: str) -> bool:
        """Whether the rule runs: the longest selector that fits `code` decides, and `ignore` wins a draw."""
        chosen = (*(self.select or (ALL,)), *self.extend_select)
        return _fit(code, chosen) > _fit(code, self.ignore)

    def shows(self, code: str, severity: Severity, confidence: Confidence) -> bool:
        """Whether a finding is reported: notes and low confidence only on demand."""
        chosen = (*self.select, *self.extend_select)
        wants_note = self.show_notes or ALL in chosen or code in chosen
        least = self.min_confidence or (Confidence.LOW if ALL in chosen else Confidence.MEDIUM)
        return (severity is not Severity.NOTE or wants_note) and confidence.rank >= least.rank

    def severity_of(self, code: str, rule: Severity, message: Severity) -> Severity:
        """The severity of a finding. rule: the gravest of the rule's messages. message: that of the finding's own.

        The user's choice replaces the rule's severity; milder messages stay as mild as they are.
        """
        chosen = self.severity.get(code)
        if chosen is None:
            return message
        return chosen if message is rule else min(chosen, message, key=lambda severity: severity.rank)


@dataclass(frozen=True, slots=True)
class Overrides:
    """The options of the command line that settings know too; None or empty where the option was not given."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[Patterns, tuple[str, ...]], ...] = ()
    exclude: Patterns | None = None
    extend_exclude: tuple[Patterns, ...] = ()
    show_notes: bool = False
    min_confidence: Confidence | None = None
    python: Path | None = None

    def over(self, settings: Settings) -> Settings:
        """The settings of a file with these on top: `select` starts afresh, the others add."""
        if self.select:
            settings = replace(settings, select=self.select, ignore=(), extend_select=())
        kept = tuple(code for code in settings.ignore if code not in self.extend_select)
        return replace(
            settings,
            ignore=kept + self.ignore,
            extend_select=settings.extend_select + self.extend_select,
            per_file_ignores=settings.per_file_ignores + self.per_file_ignores,
            exclude=self.exclude or settings.exclude,
            extend_exclude=settings.extend_exclude + self.extend_exclude,
            show_notes=self.show_notes or settings.show_notes,
            min_confidence=self.min_confidence or settings.min_confidence,
            python=self.python or settings.python,
        )


class SettingsOf:
    """The settings for each file: those of the nearest configuration file, under the options of the command line.

    A configuration file that cannot be obeyed counts as absent; `problems` says so, once for each.
    """

    def __init__(self, overrides: Overrides, codes: Iterable[str], *, fixed: Settings | None = None) -> None:
        """fixed: settings for all files, in place of those beside them (--config, --isolated)."""
        self._overrides = overrides
        self._codes = tuple(codes)
        self._fixed = overrides.over(fixed) if fixed else None
        self._by_folder: dict[Path, Settings] = {}
        self.problems: list[Notification] = []

    def __call__(self, path: Path) -> Settings:
        """The settings for the file `path` (absolute)."""
        return self._fixed or self._in_folder(path.parent)

    def _in_folder(self, folder: Path) -> Settings:
        if folder not in self._by_folder:
            own = self._own(folder)
            if own is None and folder.parent != folder:
                self._by_folder[folder] = self._in_folder(folder.parent)
            else:
                self._by_folder[folder] = self._overrides.over(own or Settings())
        return self._by_folder[folder]

    def _own(self, folder: Path) -> Settings | None:
        for name in CONFIG_NAMES:
            file = folder / name
            if not file.is_file():
                continue
            try:
                settings = load_settings(file, self._codes)
            except SettingsError as error:
                self.problems.append(Notification(str(file), None, f"{error}; the default settings were used"))
                return Settings()
            if settings is not None:
                return settings
        return None


def parse_overrides(options: Mapping[str, Any], base: Path, codes: Iterable[str]) -> Overrides:
    """The options of the command line by name. base: the folder that patterns start from. Raises SettingsError."""
    known = tuple(codes)
    exclude, extend_exclude = options["exclude"], options["extend_exclude"]
    confidence = options["min_confidence"]
    return Overrides(
        select=selectors(options["select"], known),
        ignore=selectors(options["ignore"], known),
        extend_select=selectors(options["extend_select"], known),
        per_file_ignores=per_file_ignores(options["per_file_ignores"], base, known),
        exclude=Patterns(base, tuple(exclude)) if exclude else None,
        extend_exclude=(Patterns(base, tuple(extend_exclude)),) if extend_exclude else (),
        show_notes=options["show_notes"],
        min_confidence=Confidence(confidence) if confidence else None,
        python=options["python"],
    )


def parse_python(text: str, base: Path) -> Path:
    """The absolute path of the environment that `text` names, seen from the folder `base`. Raises SettingsError."""
    path = _absolute(text, base)
    try:
        environment_at(path)
    except NoEnvironmentError as error:
        raise SettingsError(str(error)) from error
    return path


def parse_severity(text: str) -> Severity:
    """The severity called `text`, one of SEVERITIES."""
    return Severity(text)


def describe(settings: Settings) -> str:
    """The settings as the lines of a torchlint.toml, with the file that they come from as a comment."""
    exclude = settings.exclude.globs if settings.exclude else None
    extra = [glob for patterns in settings.extend_exclude for glob in patterns.globs]
    confidence = settings.min_confidence or (Confidence.LOW if ALL in settings.select else Confidence.MEDIUM)
    lines = [
        f"# from {settings.source or 'no configuration file'}",
        f"select = {_toml(settings.select or (ALL,))}" + ("" if settings.select else "  # without notes"),
        f"ignore = {_toml(settings.ignore)}",
        f"extend-select = {_toml(settings.extend_select)}",
        "# exclude: the usual folders" if exclude is None else f"exclude = {_toml(exclude)}",
        f"extend-exclude = {_toml(extra)}",
        f"show-notes = {str(settings.show_notes).lower()}",
        f'min-confidence = "{confidence.value}"',
        f"python = {_toml_value(str(settings.python))}" if settings.python else "# python: the active environment",
        f"src = {_toml(map(str, settings.src))}",
        "",
        "[per-file-ignores]",
        *(f"{_toml(patterns.globs)[1:-1]} = {_toml(codes)}" for patterns, codes in settings.per_file_ignores),
        "",
        "[severity]",
        *(f'{code} = "{severity.value}"' for code, severity in settings.severity.items()),
        "",
        "[confirm]",
        f'device = "{settings.confirm.device}"',
        f"timeout = {settings.confirm.timeout}",
        f"memory = {settings.confirm.memory}",
        *(f"classes.{_toml_value(name)} = {_toml_value(hint)}" for name, hint in settings.confirm.classes.items()),
    ]
    return "\n".join(lines)


def _toml(texts: Iterable[str]) -> str:
    return _toml_value(list(texts))


def _toml_value(value: object) -> str:
    import json

    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(name)} = {_toml_value(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def load_settings(file: Path, codes: Iterable[str]) -> Settings | None:
    """The settings in `file`; None for a pyproject.toml without [tool.torchlint].

    codes: of all rules, to check selectors. Raises SettingsError for what cannot be read or is not known.
    """
    document = _parse(file)
    tools = document.get("tool")
    table = tools.get("torchlint") if isinstance(tools, dict) else None
    if table is None and file.name == "pyproject.toml":
        return None
    try:
        return _settings(document if table is None else table, file, tuple(codes))
    except SettingsError as error:
        raise SettingsError(f"cannot use {file}: {error}") from error


def selectors(text: Iterable[str], codes: Iterable[str]) -> tuple[str, ...]:
    """The selectors in `text`: codes, prefixes or ALL, separated by commas. Raises SettingsError for any other."""
    known = tuple(codes)
    return tuple(_selector(part.strip(), known) for item in text for part in item.split(",") if part.strip())


def per_file_ignores(
    texts: Iterable[str], base: Path, codes: Iterable[str]
) -> tuple[tuple[Patterns, tuple[str, ...]], ...]:
    """What "PATTERN:CODE,CODE,PATTERN:CODE" says. Raises SettingsError where a colon or a code is wrong."""
    known = tuple(codes)
    chosen: list[tuple[str, list[str]]] = []
    for part in (part for text in texts for part in text.split(",")):
        pattern, _, code = part.rpartition(":")
        if pattern:
            chosen.append((pattern.strip(), []))
        if not chosen:
            raise SettingsError(f"`{part}` must be PATTERN:CODE, such as `tests/*:TL101`")
        chosen[-1][1].append(code)
    return tuple((Patterns(base, (pattern,)), selectors(some, known)) for pattern, some in chosen)


def covers(chosen: Iterable[str], code: str) -> bool:
    """Whether one of the selectors `chosen` fits `code`."""
    return _fit(code, chosen) >= 0


def _fit(code: str, chosen: Iterable[str]) -> int:
    """The length of the longest selector that fits `code`; 0 for ALL, -1 for none."""
    return max((0 if selector == ALL else len(selector) for selector in chosen if _fits(code, selector)), default=-1)


def _fits(code: str, selector: str) -> bool:
    return selector == ALL or code.startswith(selector)


def _selector(text: str, codes: tuple[str, ...]) -> str:
    selector = text.upper()
    if any(_fits(code, selector) for code in codes):
        return selector
    raise SettingsError(f"no rule has the code `{text}`{_nearest(selector, (ALL, *codes))}")


def _nearest(word: str, words: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(word, words, n=1, cutoff=0.5)
    return f"; the nearest is `{near[0]}`" if near else f"; known are {', '.join(words)}"


def _parse(file: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        document: dict[str, Any] = tomllib.loads(file.read_bytes().decode())
        return document
    except OSError as error:
        raise SettingsError(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"cannot read {file}: byte {error.start} is not valid UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = _TOML_PLACE.sub(r"\1 at \2", str(error))
        raise SettingsError(f"cannot read {file}: it is not valid TOML: {reason}") from error


def _settings(table: object, file: Path, codes: tuple[str, ...]) -> Settings:
    if not isinstance(table, dict):
        raise SettingsError("tool.torchlint must be a table")
    readers = _readers(file.parent, codes)
    values: dict[str, Any] = {"source": file}
    for key, value in table.items():
        if key not in readers:
            raise SettingsError(f"unknown key `{key}`{_nearest(key, readers)}")
        try:
            values[key.replace("-", "_")] = readers[key](value)
        except SettingsError as error:
            raise SettingsError(f"{key}: {error}") from error
    return Settings(**values)


def _readers(base: Path, codes: tuple[str, ...]) -> dict[str, Callable[[object], object]]:
    """How the value of each key is read."""
    codes_of = partial(_read_codes, codes=codes)
    return {
        "select": codes_of,
        "ignore": codes_of,
        "extend-select": codes_of,
        "per-file-ignores": partial(_read_per_file_ignores, base=base, codes=codes),
        "severity": partial(_read_severities, codes=codes),
        "exclude": lambda value: Patterns(base, _read_texts(value)),
        "extend-exclude": lambda value: (Patterns(base, _read_texts(value)),),
        "show-notes": _read_switch,
        "min-confidence": partial(read_choice, choices=Confidence),
        "python": partial(_read_python, base=base),
        "confirm": _read_confirm,
        "src": lambda value: tuple(_absolute(text, base) for text in _read_texts(value)),
    }


def _read_texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingsError('write a list of texts, such as ["a", "b"]')
    return tuple(value)


def _read_codes(value: object, codes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_selector(text, codes) for text in _read_texts(value))


def _read_table(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise SettingsError("write a table")
    return value


def _read_per_file_ignores(
    value: object, base: Path, codes: tuple[str, ...]
) -> tuple[tuple[Patterns, tuple[str, ...]], ...]:
    table = _read_table(value)
    return tuple((Patterns(base, (pattern,)), _read_codes(chosen, codes)) for pattern, chosen in table.items())


def _read_severities(value: object, codes: tuple[str, ...]) -> dict[str, Severity]:
    table = _read_table(value)
    for code in table:
        if code not in codes:
            raise SettingsError(f"no rule has the code `{code}`{_nearest(code, codes)}")
    return {code: read_choice(severity, Severity) for code, severity in table.items()}


def _read_python(value: object, base: Path) -> Path:
    if not isinstance(value, str):
        raise SettingsError('write a path, such as ".venv"')
    return parse_python(value, base)


def _read_confirm(value: object) -> ConfirmSettings:
    table = _read_table(value)
    readers: dict[str, Callable[[object], Any]] = {
        "device": _read_device,
        "timeout": partial(_read_amount, least=1),
        "memory": partial(_read_amount, least=64),
        "classes": lambda value: {name: _read_hint(name, hint) for name, hint in _read_table(value).items()},
    }
    return ConfirmSettings(**{key: _known(key, readers, "")(some) for key, some in table.items()})


def _read_hint(name: str, value: object) -> dict[str, Any]:
    """What is said of one class; which values fit it, only running it shows."""
    hint = _read_table(value)
    readers: dict[str, Callable[[object], Any]] = {
        "factory": _read_factory,
        "init": _read_table,
        "inputs": _read_table,
    }
    return {key: _known(key, readers, f" of `{name}`")(some) for key, some in hint.items()}


def _known(key: str, readers: Mapping[str, Callable[[object], Any]], where: str) -> Callable[[object], Any]:
    if key not in readers:
        raise SettingsError(f"unknown key `{key}`{where}{_nearest(key, readers)}")
    return readers[key]


def _read_device(value: object) -> str:
    if not isinstance(value, str) or value not in DEVICES:
        raise SettingsError(f"`{value}` must be one of {', '.join(DEVICES)}")
    return value


def _read_amount(value: object, least: int) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or value < least:
        raise SettingsError(f"write a number from {least} on")
    return value


def _read_factory(value: object) -> str:
    if not isinstance(value, str) or not _FACTORY.fullmatch(value):
        raise SettingsError('write "package.module:function"')
    return value


def _absolute(text: str, base: Path) -> Path:
    # Not resolved: the python of a virtual environment is a link that leads out of it.
    return Path(os.path.abspath(base / os.path.expanduser(text)))  # noqa: PTH100, PTH111  these two never raise


def _read_switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise SettingsError("write true or false")
    return value


def read_choice(value: object, choices: type[Choice]) -> Choice:
    """The member of `choices` with this value. Raises SettingsError that names the members."""
    for choice in choices:
        if choice.value == value:
            return choice
    raise SettingsError(f"`{value}` must be one of {', '.join(choice.value for choice in choices)}")
