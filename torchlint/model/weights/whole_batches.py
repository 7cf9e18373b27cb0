"""What kind of tensors a dict or list holds that is converted as a whole: a state, a batch, the arguments of a call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.evaluation.module_calls import STATE_VALUES
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.networks import network_run, written_name
from torchlint.model.flow.origins import returning
from torchlint.model.flow.puts import put_into
from torchlint.model.flow.signatures import receiver_of
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Display,
    Element,
    Global,
    Item,
    Starred,
    Subscript,
    Term,
)
from torchlint.model.values import Kind, TensorValue
from torchlint.model.weights.enumerated import enumeration
from torchlint.model.weights.wholes import Whole, moved, whole_of

_BATCH = re.compile(r"_?(mini_?|sub_?|micro_?)?batch(_data|_dict|_inputs)?|(data|inputs?)_(batch|dict)|sample")
_LOADER = re.compile(r"_?(\w+_)?(data_?)?(loader|dl|dataloader)s?")
_ARGUMENTS = re.compile(r"(kw)?args|(kw|model_|keyword_)arguments|(model|forward)_(kw)?args")
_STATE = re.compile(
    r"(\w+_)?(state(_?dict)?|sd|ckpt|checkpoint|weights|model_dict|snapshot)s?(_?\w{1,6})?|"
    r"w_(avg|glob\w*|locals?|clients?)|(avg|glob\w*|local)_ws?"
)
# Dicts of floats by their names: what is computed, and what learns.
_FLOATS = re.compile(r"grad|param|feat|out|logit|hidden|loss|moment|score|embed|pred|kernel|image|result")
_SENSED = frozenset("image images audio audios raw_speech videos".split())
_WRITTEN = frozenset("text texts prompt prompts labels segmentation_maps annotations".split())
_COPIES = frozenset("dict OrderedDict copy deepcopy list tuple".split())


@dataclass(frozen=True, slots=True)
class Sort:
    """What a tensor is one of. kind: "state" (all values of a state, for certain), "named" (of a dict that is called
    so), "batch", "arguments" (of a call) or "dict" (of any other dict) or "other keys" (of a dict whose values
    the keys of another dict select). what: the state, or the name."""

    kind: str
    what: str


def sort_of(whole: Whole, frame: Frame) -> Sort | None:
    """The sort of what a tensor is one of all the values of; None where these are known to be floating or no tensors,
    where the program chose the keys, and where nothing is known of them."""
    if isinstance(whole.container, Starred):
        return Sort("batch", name_of(whole.container.value) or "the batch")
    value = frame.value(whole.part)
    if value.kind not in (Kind.TENSOR, Kind.BUFFER, Kind.UNKNOWN) or value.is_floating:
        return None
    own = _sort_of_container(whole.container, whole, frame)
    if whole.keys is not whole.container:
        return _sort_by_keys(own, whole, frame)
    if last_name(whole.part) == "get_tensor":
        return Sort("named", "the file")
    if value.made_by in STATE_VALUES and (whole.is_keyed or isinstance(whole.container, Call)):
        # Of a list that the program fills with values of a state it is not known which ones it takes.
        return Sort("state", value.made_by)
    return None if value.made_by is not None and value.is_tensor else own


def _sort_by_keys(own: Sort | None, whole: Whole, frame: Frame) -> Sort | None:
    """The sort of the values that the keys of another dict select: the state, where they are those of one."""
    keys = _sort_of_container(whole.keys, whole, frame)
    if keys is None or isinstance(_uncopied(whole.container), Display):
        return None
    is_state = keys.kind in ("state", "named")
    return keys if is_state else Sort("other keys", own.what) if own is not None else None


def _sort_of_container(container: Term, whole: Whole, frame: Frame) -> Sort | None:
    value = frame.value(container)
    if value.is_tensor or value.kind is Kind.MODULE or _is_output(container, frame):
        return None
    if isinstance(container, Call) and _gives_floats(container, frame):
        return None
    if value.made_by in STATE_VALUES:
        return Sort("state", value.made_by)
    if _is_passed_state(container, frame):
        return Sort("state", "Module.state_dict")
    if isinstance(container, Subscript) and not (whole.is_keyed and isinstance(container.index, Constant)):
        # One field of it, by a key that the program chose.
        return None
    name = name_of(container)
    if whole.is_keyed and _STATE.fullmatch(name):
        return Sort("named", name)
    if is_whole_batch(container):
        return None if not whole.is_keyed and _joins_samples(frame) else Sort("batch", "the batch")
    if _ARGUMENTS.fullmatch(name) or _takes_any_number(container, frame):
        return Sort("arguments", name)
    return Sort("dict", name) if whole.is_keyed and name and not _FLOATS.search(name) else None


def holds_many(term: Term, frame: Frame) -> bool:
    """True for a batch, for the arguments of a call and for a state: what is handed on as a whole. Their names say it,
    since the question is asked about every call."""
    if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name == "values":
        term = term.callee.base
    if _is_chosen_field(term):
        return bool(_ARGUMENTS.fullmatch(name_of(term)) or _STATE.fullmatch(name_of(term)))
    if is_whole_batch(term) or _takes_any_number(term, frame) or last_name(term) == "state_dict":
        return True
    name = name_of(term)
    return bool(_ARGUMENTS.fullmatch(name) or _STATE.fullmatch(name))


def _is_chosen_field(term: Term) -> bool:
    """True for batch["pixels"]: one field, by a key that the program chose."""
    return isinstance(term, Subscript) and isinstance(term.index, Constant) and isinstance(term.index.value, str)


def name_of(container: Term) -> str:
    """The name by which a dict or list is written, in small letters: "model" of checkpoint["model"]."""
    container = _uncopied(container)
    if isinstance(container, Subscript) and isinstance(container.index, Constant):
        return container.index.value.lower() if isinstance(container.index.value, str) else name_of(container.base)
    if isinstance(container, Element) and last_name(container.iterable) == "values":
        callee = container.iterable.callee if isinstance(container.iterable, Call) else None
        return name_of(callee.base) if isinstance(callee, Attribute) else ""
    name = written_name(container)
    return (name or written_name(container.callee) if isinstance(container, Call) else name).lower()


def _uncopied(container: Term) -> Term:
    """What dict(x), copy(x) and {**x} hold."""
    while True:
        if isinstance(container, Call) and last_name(container) in _COPIES and container.arguments:
            container = container.arguments[0]
        elif isinstance(container, Display) and container.keys == (None,):
            container = container.parts[0]
        else:
            return container


def _is_output(container: Term, frame: Frame) -> bool:
    """True for what a network gives, and what a processor makes of images or sound alone: floats."""
    if not isinstance(container, Call):
        return False
    names = {name for name, _ in container.keywords}
    is_sensed = bool(names & _SENSED) and not names & _WRITTEN and not container.arguments
    return is_sensed or network_run(container, frame) is not None


def _gives_floats(call: Call, frame: Frame) -> bool:
    """True for a helper of the project that fills a dict, under each name, with a parameter or with what is cast; for
    the dict() itself where the helper is written out."""
    inner = returning(call, frame)
    made = [event.value for event in inner.function.returned] if inner is not None else [call]
    where = inner or frame
    filled = [_puts_in(one, where.function) for one in made]
    return bool(filled) and all(puts and all(_is_float(one, where) for one in puts) for puts in filled)


def _puts_in(container: Term, function: Function) -> list[Term]:
    """What a function stores in a dict that it makes empty."""
    is_empty = isinstance(container, Display) and container.kind == "dict" and not container.parts
    is_made = isinstance(container, Call) and last_name(container) in ("dict", "OrderedDict") and not container.inputs
    return list(put_into(container, function)) if is_empty or is_made else []


def _is_float(term: Term, frame: Frame) -> bool:
    if isinstance(term, Choice):
        return all(_is_float(option, frame) for option in term.options)
    value = frame.value(term)
    source = enumeration(moved(term))
    return value.is_floating or (source is not None and last_name(source) in ("parameters", "named_parameters"))


def _takes_any_number(container: Term, frame: Frame) -> bool:
    """True for *args and **kwargs."""
    parameters = frame.function.parameters
    is_own = isinstance(container, Argument) and container.index < len(parameters)
    return is_own and isinstance(container, Argument) and parameters[container.index].kind in ("*", "**")


def _is_passed_state(container: Term, frame: Frame) -> bool:
    """True for a parameter that every caller passes a state_dict() for, and for one of a list of such."""
    container, depth = _uncopied(container), 0
    while isinstance(container, (Subscript, Element)):
        container, depth = (
            _uncopied(container.base if isinstance(container, Subscript) else container.iterable),
            depth + 1,
        )
    is_open = isinstance(container, Argument) and not frame.is_self(container)
    if not isinstance(container, Argument) or not is_open or frame.value(container).kind is not Kind.UNKNOWN:
        return False
    passed = list(_passed(container, depth, frame))
    return bool(passed) and all(value.made_by == "Module.state_dict" for value in passed)


def _passed(argument: Argument, depth: int, frame: Frame) -> Iterator[TensorValue]:
    """What callers pass for a parameter, or what each element of it is."""
    for moment in callers_of(frame):
        call = moment.event.term if isinstance(moment.event, Evaluated) else None
        if not isinstance(call, Call):
            continue
        is_bound = receiver_of(call, frame.function) is not None
        term = call.argument(argument.index - int(is_bound), argument.name)
        if term is not None:
            value: TensorValue | None = moment.frame.value(term)
            for _ in range(depth):
                value = value.element if value is not None else None
            yield value or TensorValue()


def _joins_samples(frame: Frame) -> bool:
    """True for a function that makes a batch of a list of samples, which is called a batch as well."""
    names = {last_name(call) for call in frame.function.calls}
    return "collate" in frame.function.name or bool(names & {"stack", "cat", "pad_sequence"})


def is_whole_batch(whole: Term) -> bool:
    """True for what a loader gives, and for what is so called."""
    if isinstance(whole, Call):
        is_next = last_name(whole) == "next" and bool(whole.arguments)
        return is_next and _LOADER.fullmatch(_loader_of(whole.arguments[0])) is not None
    if isinstance(whole, Item) and isinstance(whole.base, Element) and last_name(whole.base.iterable) == "enumerate":
        return whole.index == 1 and _LOADER.fullmatch(_loader_of(whole.base.iterable)) is not None
    if isinstance(whole, Element):
        return _LOADER.fullmatch(_loader_of(whole.iterable)) is not None
    return _BATCH.fullmatch(written_name(whole).lower()) is not None


def _loader_of(term: Term) -> str:
    """The name of a loader, of iter(loader), of enumerate(loader); "" for what has none."""
    while isinstance(term, Call) and last_name(term) in ("iter", "enumerate", "tqdm") and term.arguments:
        term = term.arguments[0]
    return "loader" if isinstance(term, Call) and last_name(term) == "DataLoader" else written_name(term).lower()


def goes_through(index: int, frame: Frame, *, dicts_only: bool = False) -> bool:
    """True where the function calls itself for each part of its argument at `index`; dicts_only: for each value of a
    dict."""
    for call in frame.function.calls:
        callee = call.callee
        is_own = isinstance(callee, (Global, Attribute)) and last_name(call) == frame.function.name
        for given in call.arguments if is_own else ():
            whole = whole_of(given, frame)
            is_part = whole is not None and isinstance(whole.container, Argument) and whole.container.index == index
            if is_part and whole is not None and (whole.is_keyed or not dicts_only):
                return True
    return False
