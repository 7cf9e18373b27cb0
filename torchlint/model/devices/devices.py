"""Devices: what a term says about where tensors go, and whether a project ever leaves the CPU."""

from __future__ import annotations

from pathlib import PurePath

from torchlint.model.devices.chosen import may_be_chosen
from torchlint.model.devices.placements import is_device
from torchlint.model.events import Write
from torchlint.model.flow.callers import frames_in
from torchlint.model.flow.networks import written_name
from torchlint.model.flow.same_object import RETURNS_SELF, keys_of
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Choice, Constant, Imported, Operation, Term, children
from torchlint.model.values import Kind, strings_of

_ACCELERATORS = frozenset("cuda xpu npu mps hpu".split())
_PREPARES = frozenset("prepare setup setup_module".split())
_MAX_FILES = 12
_WORDS = (b".cuda(", b".to(")
_DEPTH = 8


def is_away(term: Term, frame: Frame, depth: int = _DEPTH) -> bool | None:
    """Whether a device may be an accelerator: False for the CPU, None for what is no device at all."""
    texts = strings_of(frame.value(term))
    if texts:
        return not all(text.startswith(("cpu", "meta")) for text in texts)
    if isinstance(term, Constant):
        return True if isinstance(term.value, int) and not isinstance(term.value, bool) else None
    if not depth:
        return None
    if isinstance(term, Choice):
        found = [is_away(option, frame, depth - 1) for option in term.options]
        return True if True in found else None if None in found else False
    if isinstance(term, Call):
        if _makes_device(term):
            given = term.argument(0, "device") or term.argument(0, "type")
            return given is None or is_away(given, frame, depth - 1) is not False
        return True if is_device(term) else None
    if isinstance(term, Operation) and term.operator == "f-string":
        return True
    written = _written_by_class(term, frame, depth)
    if written is not None:
        return written
    return True if is_device(term) else None


def _written_by_class(term: Term, frame: Frame, depth: int) -> bool | None:
    """What the class gives self.device, or self.place = torch.device(..); None where nobody says, or where that is not
    understood."""
    if not isinstance(term, Attribute) or frame.view is None or not frame.is_self(term.base):
        return None
    writes = [(moment.event, moment.frame) for moment in frame.view.state.writes(term.name)]
    values = [(event.value, inner) for event, inner in writes if isinstance(event, Write)]
    if not is_device(term) and not any(_makes_device(value) for value, _ in values):
        return None
    found = [is_away(value, inner, depth - 2) for value, inner in values]
    if found and all(one is False for one in found):
        return False
    return True if True in found and not is_device(term) else None


def _makes_device(term: Term) -> bool:
    return isinstance(term, Call) and isinstance(term.callee, Imported) and term.callee.name == "torch.device"


def moved_to(call: Call, frame: Frame) -> bool | None:
    """Where a call of x.to(..), x.cuda() or x.cpu() moves its receiver: True for an accelerator, False for the CPU;
    None for a call that moves nothing, or nobody knows where."""
    name = call.callee.name if isinstance(call.callee, Attribute) else ""
    if name == "cpu":
        return False
    if name in _ACCELERATORS:
        return None if isinstance(call.callee, Attribute) and isinstance(call.callee.base, Imported) else True
    if name != "to":
        return None
    given = call.keyword("device") or (call.arguments[0] if call.arguments else None)
    found = is_away(given, frame) if given is not None else None
    if found is None and given is not None and _waits_for_no_copy(call):
        # Only a copy to another device can go on by itself; a tensor as the target may be anywhere.
        return True if frame.value(given).kind is Kind.UNKNOWN else None
    return found


def _waits_for_no_copy(call: Call) -> bool:
    given = call.argument(2, "non_blocking")
    return isinstance(given, Constant) and given.value is True


def place_of(network: Term, frame: Frame, *, anywhere: bool = True) -> bool | None:
    """Where a network is: True where code moves it to an accelerator. By what the function does with it, then its
    class, then (`anywhere`) whether the file or the project leaves the CPU at all."""
    chained = _chained(network, frame)
    if chained is not None:
        return chained
    keys = keys_of(network, frame)
    functions = [frame] + ([frame.view.frame(one) for one in frame.view.methods] if frame.view is not None else [])
    found = [move for one in functions for move in _moves_of(one) if move[0] & keys or move[1] == written_name(network)]
    if found:
        return found[-1][2]
    if _is_made_here(network):
        return None
    made = _made_by_class(network, frame)
    if made:
        return made[-1]
    return has_device_option(frame) if anywhere and not _stays(frame) else None


def _is_made_here(network: Term) -> bool:
    """True for a network that the function itself has made: nobody else can have moved it."""
    term: Term = network
    for _ in range(_DEPTH):
        if isinstance(term, Choice):
            term = term.options[-1]
        elif isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in RETURNS_SELF:
            term = term.callee.base
    return isinstance(term, Call)


def _made_by_class(network: Term, frame: Frame) -> tuple[bool | None, ...]:
    """Where an object of no module class puts the network that it makes for itself, None for nowhere in particular: no
    move of a module reaches it. Empty for any other network."""
    view = frame.view
    if not isinstance(network, Attribute) or view is None or view.is_module or not frame.is_self(network.base):
        return ()
    writes = [(moment.event, moment.frame) for moment in view.state.writes(network.name)]
    made = [(_whole(event.value, where), where) for event, where in writes if isinstance(event, Write)]
    if not all(_is_made_here(one) and where.value(one).kind is Kind.MODULE for one, where in made):
        return ()
    places = tuple(_put_by(one, where) for one, where in made)
    told = (part for one, _ in made for part in children(one) if not isinstance(part, Constant))
    is_told = any(map(is_device, told))
    return () if is_told and not any(places) else places


def _whole(part: Term, frame: Frame) -> Term:
    """The module of which a part is taken: vae of vae.decoder, unless its class moves its parts itself."""
    if not isinstance(part, Attribute) or not isinstance(part.base, Call) or frame.value(part).kind is not Kind.MODULE:
        return part
    whole = frame.value(part.base)
    methods = getattr(whole.of, "methods", ())
    moves = whole.of is None or any(leaves_cpu(whole.of.frame(method)) for method in methods)
    return part if moves or whole.kind is not Kind.MODULE else part.base


def _put_by(made: Term, frame: Frame) -> bool | None:
    """Where the function that makes a network puts it, in the same words or by a later statement."""
    chained = _chained(made, frame)
    if chained is not None:
        return chained
    keys = keys_of(made, frame)
    moves = [away for moved, _, away in _moves_of(frame) if moved & keys]
    return moves[-1] if moves else None


def _chained(network: Term, frame: Frame) -> bool | None:
    """Net().to(device), model.cuda().eval(): the place is written where the network is."""
    term: Term = network
    for _ in range(_DEPTH):
        if isinstance(term, Choice):
            term = term.options[-1]
        elif isinstance(term, Call) and isinstance(term.callee, Attribute):
            moved = moved_to(term, frame)
            if moved is not None:
                return moved
            term = term.callee.base
        elif isinstance(term, Attribute) and term.known is not None:
            term = term.known
        else:
            return None
    return None


def _moves_of(frame: Frame) -> list[tuple[frozenset[tuple[object, ...]], str, bool]]:
    """The moves that a function makes: the keys and the name of what is moved, and where to."""
    found = []
    for call in frame.function.calls:
        if isinstance(call.callee, Attribute) and call.callee.name in ("to", "cpu", *_ACCELERATORS):
            moved = moved_to(call, frame)
            if moved is not None:
                found.append((keys_of(call.callee.base, frame), written_name(call.callee.base), moved))
    return found


def _stays(frame: Frame) -> bool:
    """True where the function, or its class, moves a module to the CPU, or loads one there."""
    functions = [frame.function, *(frame.view.methods if frame.view is not None else ())]
    for call in (call for function in functions for call in function.calls):
        location = call.keyword("map_location")
        if isinstance(location, Constant) and location.value == "cpu":
            return True
        if (
            isinstance(call.callee, Attribute)
            and call.callee.name == "cpu"
            and written_name(call.callee.base) == "model"
        ):
            return True
    return False


def has_device_option(frame: Frame) -> bool | None:
    """True where the file, or failing that a file of the project around it, moves something to an accelerator."""
    project, path = frame.evaluator.project, frame.path
    if any(leaves_cpu(one) for one in frames_in(project, path)):
        return True
    if _stands_alone(frame):
        return None
    files = sorted({file for word in _WORDS for file in project.files_around(path, word)} - {path})
    for file in project.looked_into(path, files[:_MAX_FILES]):
        if any(leaves_cpu(one) for one in frames_in(project, file)):
            return True
    return None


def _stands_alone(frame: Frame) -> bool:
    """True for a file that imports nothing of the project and whose name no file of it says: where others put their
    networks says nothing about it."""
    project, path = frame.evaluator.project, frame.path
    outline = project.outline(path)
    imported = [one.name for one in outline.names.values() if isinstance(one, Imported)] if outline is not None else []
    starred = outline.star_imports if outline is not None else ()
    if any(not way.is_installed for name in (*imported, *starred) for way in project.imports.ways(path, name)):
        return False
    file = PurePath(path)
    word = file.parent.name if file.stem == "__init__" else file.stem
    return all(one == path for one in project.files_around(path, word.encode()))


def leaves_cpu(frame: Frame) -> bool:
    """True where a function moves something to an accelerator."""
    known: bool | None = frame.function.derived.get("leaves the CPU")
    if known is None:
        known = frame.function.derived["leaves the CPU"] = any(_leaves(call, frame) for call in frame.function.calls)
    return known


def _leaves(call: Call, frame: Frame) -> bool:
    if isinstance(call.callee, Attribute) and call.callee.name in ("to", *_ACCELERATORS):
        device = call.keyword("device") or (call.arguments[0] if call.arguments else None)
        is_told = call.callee.name != "to" or device is None or _waits_for_no_copy(call)
        return moved_to(call, frame) is True and (is_told or may_be_chosen(device, frame))  # type: ignore[arg-type]
    return last_name(call) in _PREPARES and "accelerator" in written_name(getattr(call.callee, "base", call)).lower()
