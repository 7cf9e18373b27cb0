"""Which histories need not run any more, since an earlier one showed the harm that a finding speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

Facts = Mapping[str, Any]
_IN_PARENT = " in a parent"
_BY_CONVERSION = ("TL101", "TL105", "TL113")


def is_needed(name: str, claims: Iterable[Mapping[str, Any]], facts: Mapping[str, Facts]) -> bool:
    """True where a claim asks for a history, and nothing that was told of it decides by itself.

    claims: of the job, with their histories in order. facts: by the histories that ran. Where this is wrong, a finding
    comes out inconclusive.
    """
    for claim in claims:
        earlier = claim["histories"][: list(claim["histories"]).index(name)] if name in claim["histories"] else None
        if earlier is None or any(_decides(claim, one, facts[one]) for one in earlier if one in facts):
            continue
        alone = facts.get(name.removesuffix(_IN_PARENT), {}) if name.endswith(_IN_PARENT) else {}
        # What does not even go along with the module itself stays behind in a parent too.
        if claim["code"] not in _BY_CONVERSION or not any(map(_mine(claim).fullmatch, alone.get("left", ()))):
            return True
    return False


def _mine(claim: Mapping[str, Any]) -> re.Pattern[str]:
    return re.compile(rf"(\w+\.)?{re.escape(claim['member'])}(?![A-Za-z0-9_]).*", re.DOTALL)


def _decides(claim: Mapping[str, Any], name: str, facts: Facts) -> bool:
    mine, code = _mine(claim), claim["code"]
    if code in _BY_CONVERSION or name.startswith(("move", "half")):
        return name != "state" and _raises(facts, mine)
    if code == "TL102":
        carrying = [path for path in facts.get("carrying", ()) if mine.fullmatch(path)]
        return bool(carrying) and not set(carrying).intersection(facts["anew"])
    replaced = facts.get("replaced", ())
    matter = [path for path in facts.get("matter", ()) if mine.fullmatch(path) and path not in replaced]
    return bool(matter) and not facts.get("fresh")


def _raises(facts: Facts, mine: re.Pattern[str]) -> bool:
    """True where forward raises after a conversion because of a tensor of the claim."""
    if not facts.get("raised") or facts.get("doubts") or facts.get("fresh"):
        return False
    left = [path for path in facts["left"] if mine.fullmatch(path)]
    return any(clash["what"] == "raised" and set(left).intersection(clash["names"][:1]) for clash in facts["clashes"])
