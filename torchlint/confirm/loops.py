"""Verdicts about training loops: a state that is kept, and an average of weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from torchlint.confirm.case import Judgement

if TYPE_CHECKING:
    from torchlint.confirm.lines import Sight


def _kept(sight: Sight) -> Judgement:
    harm = sight.harm
    if harm is not None and "holder" in harm:
        return sight.confirmed(f"a step on the model changes what self.{harm['holder']} keeps: the tensors are one")
    if harm is not None:
        user = harm["user"] + (f" at line {harm['line']}" if harm["line"] else "")
        return sight.confirmed(f"{user} gets tensors that were written to since line {sight.claim.line} kept them")
    if sight.facts.get("ran") and not sight.facts["raised"]:
        own, copies = sight.facts["own"], sight.facts["copies"]
        if own:
            return sight.refuted(f"no step on the model changes what self.{own} keeps")
        if copies and " keeps " not in sight.claim.text:
            return sight.refuted(f"{copies[0]} gets copies of what line {sight.claim.line} asks for")
    return sight.nothing("nothing that was kept was seen to be written to")


def _averaged(sight: Sight) -> Judgement:
    harm = sight.harm
    if harm is None:
        if sight.facts.get("along") and not sight.facts["raised"]:
            return sight.refuted("the buffers of the averaged model follow as well")
        return sight.nothing("no model with buffers was seen to be averaged into another one")
    if sight.facts["elsewhere"]:
        return sight.nothing(f"buffer {harm['buffer']} stays as it was, but other code of the file takes buffers along")
    return sight.confirmed(f"the weights follow the other model, and the buffer {harm['buffer']} stays as it was")


JUDGES: Mapping[str, Callable[[Sight], Judgement]] = {"TL116": _kept, "TL117": _averaged}
