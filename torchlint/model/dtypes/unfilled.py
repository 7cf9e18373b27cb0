"""Memory that is read before anything was written into it: what a constructor that takes sizes leaves behind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from torchlint.knowledge.lookup import is_metadata, is_view, returned
from torchlint.model.events import Evaluated, Event, ItemWrite, Return, Write
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.uses import Parent, parents_in
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modules.fillers import FILLS, is_filled_elsewhere, is_initialised, is_initialiser
from torchlint.model.terms import (
    Attribute,
    Call,
    Choice,
    Comprehension,
    Constant,
    Display,
    Global,
    Imported,
    Operation,
    Subscript,
    Term,
)
from torchlint.source import Span

_SAME_MEMORY = frozenset("to cuda cpu type type_as float half double long int data T requires_grad_ pin_memory".split())
_READS = frozenset(
    """
    add sub mul div pow add_ sub_ mul_ div_ addmm baddbmm mm bmm matmul mv dot sum mean std var prod norm max min argmax
    argmin item tolist exp log sqrt abs neg sin cos tanh sigmoid relu softmax clamp clamp_ eq ne lt le gt ge cumsum sort
    topk
    """.split()
)
_RECURRENT = frozenset("RNN LSTM GRU RNNCell LSTMCell GRUCell".split())
_RANDOM = frozenset(
    """
    normal_ uniform_ random_ bernoulli_ exponential_ log_normal_ cauchy_ geometric_ xavier_uniform_ xavier_normal_
    kaiming_uniform_ kaiming_normal_ orthogonal_ trunc_normal_
    """.split()
)
_COMPUTES = frozenset("+ - * / // % ** @ < <= > >= == != += -= *= /= **= @=".split())
_LOOKS = frozenset("len isinstance print type id hasattr".split())
_LIKENESS = frozenset("to type_as expand_as view_as reshape_as".split())
_VARIABLES = frozenset(("Variable", "deepcopy"))
_PARAMETERS = frozenset(("Parameter", "UninitializedParameter", "Buffer"))
_HOLDERS = frozenset(("ParameterList", "ParameterDict"))
_REACH = 8


class _Fate(IntEnum):
    """What comes of a value; of several uses the greatest counts."""

    NONE = 0
    READ = 1
    STATE = 2
    UNCLEAR = 3
    FILLED = 4


@dataclass(slots=True)
class _Found:
    """The fate of a value, where that is decided, and the attribute that holds it."""

    fate: _Fate = _Fate.NONE
    place: tuple[int, int, int, int] | None = None
    attribute: str = ""

    def note(self, fate: _Fate, place: tuple[int, int, int, int] | None = None, attribute: str = "") -> None:
        """Keep what counts more."""
        if fate > self.fate:
            self.fate, self.place, self.attribute = fate, place, attribute


@dataclass(frozen=True, slots=True)
class Unfilled:
    """What reads the memory: the attribute of a module that nothing fills ("" for a value of the function itself), and
    where it is read, as far as known."""

    attribute: str
    read: Span | None


def unfilled(call: Call, frame: Frame) -> Unfilled | None:
    """Where the memory of a constructor call is read although nothing was written into it; None where something is, or
    where that is not certain."""
    found = _Found()
    _follow(call, frame, found, set(), _REACH)
    if found.fate is _Fate.READ and found.place is not None:
        return Unfilled("", frame.span(found.place))
    if found.fate is _Fate.NONE and any(
        isinstance(one, Return) for one in parents_in(frame.function).get(id(call), ())
    ):
        return _unfilled_by_callers(frame)
    if found.fate is not _Fate.STATE or frame.view is None or is_filled_elsewhere(found.attribute, frame.view):
        return None
    reads = (read for read in frame.view.state.reads(found.attribute) if not _is_looked_at(read))
    where = next((read for read in reads if isinstance(read.event, Evaluated)), None)
    if where is None or not isinstance(where.event, Evaluated):
        return None
    return Unfilled(found.attribute, where.frame.span(where.event.term.place))


def _unfilled_by_callers(frame: Frame) -> Unfilled | None:
    """What the first caller reads that gets the memory and writes nothing into it."""
    for moment in callers_of(frame):
        call = moment.event.term if isinstance(moment.event, Evaluated) else None
        found = _Found()
        if call is not None:
            _follow(call, moment.frame, found, set(), _REACH)
        if found.fate is _Fate.READ and found.place is not None:
            return Unfilled("", moment.frame.span(found.place))
    return None


def holds_sizes(call: Call, frame: Frame) -> bool:
    """True where what a constructor made of one tuple is filled like memory of that shape: with random numbers or by an
    initialiser, here or on the attribute that holds it, or with zeros where the tuple is computed. Nobody does so with
    data."""
    found = _Found()
    _follow(call, frame, found, set(), _REACH)
    if found.fate is _Fate.STATE and frame.view is not None:
        return is_initialised(found.attribute, frame.view)
    if found.fate is not _Fate.FILLED:
        return False
    sizes = call.arguments[0] if call.arguments else None
    is_written_out = isinstance(sizes, Display) and all(isinstance(part, Constant) for part in sizes.parts)
    return found.attribute in _RANDOM or (found.attribute in ("zero_", "fill_") and not is_written_out)


def _is_looked_at(read: Moment) -> bool:
    """True where a read asks for dtype, device or sizes only: x.to(self.place), self.place.device."""
    term = read.event.term if isinstance(read.event, Evaluated) else None
    parents = parents_in(read.frame.function).get(id(term), ())
    return bool(parents) and all(term is not None and _looks_at(term, parent) for parent in parents)


def _looks_at(term: Term, parent: Parent) -> bool:
    if isinstance(parent, Attribute):
        return is_metadata(parent.name)
    if not isinstance(parent, Call) or parent.callee is term:
        return False
    name = last_name(parent)
    return name in _LIKENESS or (name.endswith("_like") and parent.argument(0, "input") is term)


# Inside the function


def _follow(term: Term, frame: Frame, found: _Found, done: set[int], reach: int) -> None:
    if id(term) in done:
        return
    done.add(id(term))
    if not reach:
        found.note(_Fate.UNCLEAR)
        return
    for parent in parents_in(frame.function).get(id(term), ()):
        following = _note_use(term, parent, frame, found)
        for one in following:
            _follow(one, frame, found, done, reach - 1)


def _note_use(term: Term, parent: Parent, frame: Frame, found: _Found) -> Iterable[Term]:
    """Note what `parent` does with the memory; what it passes on is followed."""
    if isinstance(parent, Event):
        _note_event(term, parent, frame, found)
        return ()
    if isinstance(parent, Attribute):
        return _note_attribute(parent, frame, found)
    if isinstance(parent, Call):
        return _note_call(term, parent, frame, found)
    if isinstance(parent, Operation):
        found.note(_Fate.READ if parent.operator in _COMPUTES else _Fate.UNCLEAR, parent.place)
        return ()
    if isinstance(parent, Subscript):
        if parent.base is term:
            return (parent,)
        found.note(_Fate.READ, parent.place)
        return ()
    if isinstance(parent, (Choice, Display, Comprehension)):
        return (parent,)
    found.note(_Fate.UNCLEAR)
    return ()


def _note_event(term: Term, event: Event, frame: Frame, found: _Found) -> None:
    if isinstance(event, ItemWrite):
        found.note(_Fate.FILLED if event.base is term else _Fate.UNCLEAR)
    elif isinstance(event, Write) and isinstance(event.attribute, str) and frame.is_self(event.base):
        is_state = isinstance(term, Call) and last_name(term) in _PARAMETERS | _HOLDERS
        found.note(_Fate.STATE if is_state else _Fate.UNCLEAR, event.place, event.attribute)
    elif isinstance(event, Return):
        # A caller may fill what it gets; what was read before stays read.
        found.note(
            _Fate.READ if frame.function.name == "forward" and isinstance(term, Call) else _Fate.NONE, event.place
        )
    else:
        found.note(_Fate.UNCLEAR)


def _note_attribute(attribute: Attribute, frame: Frame, found: _Found) -> Iterable[Term]:
    parents = parents_in(frame.function).get(id(attribute), ())
    calls = [parent for parent in parents if isinstance(parent, Call) and parent.callee is attribute]
    name = attribute.name
    if name in FILLS:
        found.note(_Fate.FILLED, attribute.place, name)
    elif name in _SAME_MEMORY or is_view(name):
        return calls or (attribute,)
    elif calls and name in _READS:
        found.note(_Fate.READ, calls[0].place)
    elif not is_metadata(name) or name in ("numpy", "data_ptr", "storage"):
        found.note(_Fate.UNCLEAR)
    return ()


def _note_call(term: Term, call: Call, frame: Frame, found: _Found) -> Iterable[Term]:
    name = last_name(call)
    if call.keyword("out") is term or is_initialiser(call):
        found.note(_Fate.FILLED, call.place, name)
    elif name in _VARIABLES or name in _PARAMETERS or name in _HOLDERS:
        return (call,)
    elif name in ("register_parameter", "register_buffer"):
        given = call.argument(0, "name")
        is_named = isinstance(given, Constant) and isinstance(given.value, str)
        text = str(given.value) if isinstance(given, Constant) and is_named else ""
        found.note(_Fate.STATE if is_named else _Fate.UNCLEAR, call.place, text)
    elif isinstance(call.callee, Imported) and call.callee.name.startswith("torch."):
        found.note(_fate_in_torch(call.callee.name), call.place)
    elif any(one is term for one in call.arguments[1:]) and _is_recurrent(call, frame):
        found.note(_Fate.READ, call.place)
    elif not (isinstance(call.callee, Global) and name in _LOOKS):
        found.note(_Fate.UNCLEAR)
    return ()


def _is_recurrent(call: Call, frame: Frame) -> bool:
    """True for a call of a recurrent layer of torch: what stands behind its input is the state to begin with."""
    layer = frame.value(call.callee) if isinstance(call.callee, Attribute) else None
    return layer is not None and layer.of is None and (layer.made_by or "").rpartition(".")[2] in _RECURRENT


def _fate_in_torch(name: str) -> _Fate:
    """What a function of torch does with an argument: most compute with it, `*_like` look at its sizes."""
    row = returned(name)
    if row == "like":
        return _Fate.NONE
    return _Fate.READ if row is not None and "distributed" not in name else _Fate.UNCLEAR
