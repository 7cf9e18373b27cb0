"""TL108 broken-train-override: a member that breaks what torch, or every caller, expects of train(), eval() and their
like."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Confidence, Hit, Place, hit
from torchlint.model import ModuleClass
from torchlint.model.modes.modes import BrokenMode, ModeFault, broken_modes
from torchlint.model.modules.shadows import shadows
from torchlint.rules import class_rule

_ALSO = {
    ModeFault.NEVER_SWITCHES: "never changes the mode of the module itself",
    ModeFault.FORGETS_CHILDREN: "tells no child of its mode",
    ModeFault.DROPS_MODE: "drops the mode",
    ModeFault.RETURNS_NOTHING: "returns None",
    ModeFault.RETURNS_OTHER: "returns something else than the module",
    ModeFault.ONLY_EVAL: "does what train(False) does not",
}


@class_rule("TL108")
def broken_train_override(module: ModuleClass) -> Iterator[Hit]:
    """Yield the train() and eval() that break the mode, and the members that shadow methods of nn.Module."""
    confidence = None if module.is_certain else Confidence.MEDIUM
    for broken in broken_modes(module):
        yield hit(
            broken.span,
            broken.symbol,
            member=broken.method,
            detail=_detail(broken, has_eval=module.method("eval") is not None),
            also=_also(broken),
            when=_variant(broken),
            because=(Place(broken.at, "this is returned"),) if broken.at is not None else (),
            confidence=confidence,
        )
    for shadow in shadows(module):
        yield hit(
            shadow.span,
            shadow.symbol,
            member=shadow.name,
            detail=", ".join(shadow.missing)
            or ("the module or on a parent" if shadow.is_called_by_parents else "the module"),
            also="",
            when=shadow.kind.value,
            confidence=confidence,
        )


def _variant(broken: BrokenMode) -> str:
    first = broken.faults[0]
    return "returns nothing inside" if first is ModeFault.RETURNS_NOTHING and broken.is_inner else first.value


def _detail(broken: BrokenMode, *, has_eval: bool) -> str:
    """has_eval: the class has an eval() of its own, and what train() does to nn.Module's does not matter."""
    fault = broken.faults[0]
    if fault is ModeFault.ONLY_EVAL:
        return f"sets self.{broken.attribute}" if broken.attribute else "wakes parts of the module"
    if fault is ModeFault.NO_MODE:
        return "a parent's train(mode) passes" if has_eval else "eval() or a parent's train(mode) passes"
    if fault is ModeFault.RETURNS_NOTHING:
        through = broken.method == "train" and not has_eval
        return "train(), and eval() through it, return" if through else f"{broken.method}() returns"
    return broken.parameter


def _also(broken: BrokenMode) -> str:
    found = [_ALSO[fault] for fault in broken.faults[1:] if fault in _ALSO]
    return f"; it also {' and '.join(found)}" if found else ""
