"""Bars as an SVG that reads on a light and on a dark page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

_WIDTH = 760
_LABEL = 190
_ROW = 22
_GAP = 34
_TOP = 40
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#24292f}.group{font-weight:600}.bar{fill:#8c959f}.own{fill:#0969da}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}}"
)


def bars(title: str, groups: Mapping[str, Mapping[str, float]]) -> str:
    """An SVG of one bar a value, by group; the bars of torchlint stand out. Values are not negative."""
    height = _TOP + sum(_GAP + _ROW * len(values) for values in groups.values()) + 8
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">'
    title_and_style = f"<title>{escape(title)}</title><style>{_STYLE}</style>"
    return "\n".join([head, title_and_style, _text(8, 22, title), *_rows(groups), "</svg>\n"])


def _rows(groups: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    most = max((value for values in groups.values() for value in values.values()), default=1) or 1
    room = _WIDTH - _LABEL - 70
    y = _TOP
    for group, values in groups.items():
        yield _text(8, y + 22, group, "group")
        y += _GAP
        for name, value in values.items():
            kind = "own" if name.startswith("torchlint") else "bar"
            length = max(1, round(room * value / most))
            yield _text(20, y + 12, name)
            yield f'<rect class="{kind}" x="{_LABEL}" y="{y}" width="{length}" height="{_ROW - 7}" rx="2"/>'
            yield _text(_LABEL + length + 6, y + 12, f"{value:.2f}")
            y += _ROW


def _text(x: int, y: int, content: str, kind: str = "") -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(content)}</text>'
