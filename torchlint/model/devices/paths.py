"""Which functions run where a network does, and what in them lies on a device of the program's own choice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchlint.model.devices.brought import brought_from_elsewhere, is_moved_afterwards
from torchlint.model.devices.devices import leaves_cpu
from torchlint.model.devices.followers import Followers
from torchlint.model.devices.guards import is_pinned_where_available
from torchlint.model.devices.meetings import Meeting, meetings
from torchlint.model.devices.moves_alike import moves_alike
from torchlint.model.devices.places_made import may_place
from torchlint.model.devices.transforms import is_transform
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of, frames_in, is_named_test
from torchlint.model.frames import Frame, Moment, is_decorated, last_name
from torchlint.model.names.held_objects import with_held_objects
from torchlint.model.terms import Attribute, Call, Constant, Imported, Term, children
from torchlint.model.values import Kind

# Work on the CPU by its name: data, files, pictures, probes of a model.
_ON_CPU = re.compile(
    r".*(collate|dataset|data_?load|loader|transform(?!er)|augment|preprocess|prepare_data|plot|draw|visuali|export|onnx"
    r"|flops|summary|__getitem__|__len__|__iter__|load_|save|convert_|benchmark|tokenize|test_).*"
)
_LOSS = re.compile(r".*(loss|criterion|penalty|divergence|kl_|_kl|log_prob|regulari).*")
_SETS_UP = re.compile(r"_?(init|initialize|initialise|setup|set_up)_\w+")
_TRANSFORM = re.compile(r"_?(inverse_|forward_)?transform")
_MAX_FILES = 8
_OF_NETWORKS = frozenset(
    """
    pred prediction output logit log_prob prob batch loss hidden feat feature embedding input target label score q k v
    query key value attn attention mu logvar z latent student teacher x mask reward advantage state
    """.split()
)
_OF_LOSSES = frozenset(
    "pred prediction output logit log_prob target label feat feature embedding mu logvar z student teacher".split()
)
_FILE_OF_DATA = re.compile(
    r".*(dataset|data_|_data|^data|dataloader|transform(?!er)|augment|preprocess|collat|tokeniz).*\.py"
)
_FUNCTIONAL = "torch.nn.functional."
_OF_PICTURES = frozenset(
    "interpolate upsample pad grid_sample affine_grid one_hot unfold fold avg_pool2d max_pool2d normalize".split()
)
_CLASS_OF_DATA = re.compile(r".*(Dataset|Loader|Collat|Transform(?!er)|Sampler|Augment|Processor)\w*")


def fixed_tensors(frame: Frame, *, pinned: bool) -> Iterator[Meeting]:
    """The tensors that a function combines with what lies where the inputs are, though the program put them elsewhere.

    pinned: those of `.cuda()` and of a device that a file chose; else those that a factory made on the CPU.
    """
    frame = _of_module(frame)
    is_module = frame.view is not None and frame.view.is_module
    # What a plain function does through helpers may all be work on data.
    if not is_module and frame.function.written_from is not None:
        return
    if not _is_on_path(frame) or not (found := _all_meetings(frame)) or not (is_module or _leaves_the_cpu(frame)):
        return
    if not is_module and is_transform(frame):
        return
    if not pinned and _is_unit_test_on_the_cpu(frame):
        return
    if is_module and ((pinned and _moves_itself(frame)) or _runs_in_construction(frame)):
        return
    seen: set[object] = set()
    for meeting in found:
        if (meeting.placed.how != "made") is not pinned or meeting.placed in seen or _is_prepared(meeting, frame):
            continue
        if pinned and is_pinned_where_available(meeting.placed, frame) and moves_alike(frame):
            continue
        if not pinned or is_module or (_is_outside(meeting, frame) and takes_network_values(frame)):
            seen.add(meeting.placed)
            yield meeting


def _is_unit_test_on_the_cpu(frame: Frame) -> bool:
    """True in a file of unit tests that moves nothing to an accelerator: what it tries out stays on the CPU."""
    project, path = frame.evaluator.project, frame.path
    if not is_named_test(path):
        return False
    frames = list(frames_in(project, path))
    return any(one.function.name.startswith("test_") for one in frames) and not any(map(leaves_cpu, frames))


def _runs_in_construction(frame: Frame) -> bool:
    """True for a method that constructors alone call, and for one that by its name sets up the module and that no
    module calls: it runs before anybody moves the module, or on what a script has read."""
    callers = [] if frame.method.name == "forward" else [moment.frame for moment in callers_of(frame)]
    if _SETS_UP.fullmatch(frame.method.name):
        return not any(one.view is not None and one.view.is_module and one.method.name != "__init__" for one in callers)
    return bool(callers) and all(one.method.name == "__init__" for one in callers)


def _is_prepared(meeting: Meeting, frame: Frame) -> bool:
    """True for what lies in a written out helper that works on the CPU by its name, and moves what it returns."""
    if frame.function.written_from is None:
        return False
    line, path = meeting.placed.span.line, meeting.placed.span.path
    before = [one for one in frame.evaluator.project.functions_in(path) if one.function.place[0] <= line]
    helper = max(before, key=lambda one: one.function.place[0], default=frame)
    returned = [event.value for event in helper.function.returned]
    is_moved = bool(returned) and all(isinstance(one, Call) and last_name(one) in ("to", "cuda") for one in returned)
    return is_moved and not _is_on_path(helper)


def _is_outside(meeting: Meeting, frame: Frame) -> bool:
    """True for what a function outside of modules makes and pins; what a subclass makes for an inherited method may be
    meant for where all the data of its script is."""
    is_own = frame.view is None or meeting.placed.symbol == frame.symbol
    return meeting.placed.is_new and is_own


def _of_module(frame: Frame) -> Frame:
    """A method of a class that is mixed into a module, as the module has it; any other function as it is."""
    view, project = frame.view, frame.evaluator.project
    if view is None or view.is_module or frame.outer is not None or not may_place(frame):
        return frame
    name = view.facts.name
    others = (file for file in project.files_around(frame.path, name.encode())[:_MAX_FILES] if file != frame.path)
    for file in project.looked_into(frame.path, (frame.path, *others)):
        for other in project.classes_in(file):
            if (
                other.is_module
                and view in other.ancestors
                and other.method(frame.function.name) is frame.function.definition
            ):
                return frame.evaluator.frame(frame.function, other)
    return frame


def _moves_itself(frame: Frame) -> bool:
    """True for a method that moves its own module first: self.to(device), and then the inputs to the same place."""
    calls = (event.term for event in frame.function.events if isinstance(event, Evaluated))
    callees = (call.callee for call in calls if isinstance(call, Call))
    return any(
        isinstance(callee, Attribute) and callee.name in ("to", "cuda") and frame.is_self(callee.base)
        for callee in callees
    )


def _leaves_the_cpu(frame: Frame) -> bool:
    """False for a project that nowhere speaks of CUDA: its tensors have one place."""
    project = frame.evaluator.project
    others = (file for file in project.files_around(frame.path, b"cuda")[:_MAX_FILES] if file != frame.path)
    looked_into = project.looked_into(frame.path, (frame.path, *others))
    return any(_speaks_of_cuda(other) for file in looked_into for other in frames_in(project, file, "cuda"))


def _speaks_of_cuda(frame: Frame) -> bool:
    known: bool | None = frame.function.derived.get("speaks of cuda")
    if known is None:
        terms = (event.term for event in frame.function.events if isinstance(event, Evaluated))
        known = frame.function.derived["speaks of cuda"] = any(map(_names_cuda, terms))
    return known


def _names_cuda(term: Term) -> bool:
    if isinstance(term, Attribute):
        return term.name in ("cuda", "is_cuda")
    if not isinstance(term, Call):
        return False
    if isinstance(term.callee, Imported) and term.callee.name.startswith("torch.cuda."):
        return True
    texts = (part.value for part in term.inputs for part in (part, *children(part)) if isinstance(part, Constant))
    return last_name(term) == "cuda" or any(isinstance(text, str) and text.startswith("cuda") for text in texts)


def _all_meetings(frame: Frame) -> tuple[Meeting, ...]:
    """Found once for the rules that ask."""
    return frame.once("meetings", lambda: _find_meetings(frame))


def _find_meetings(frame: Frame) -> tuple[Meeting, ...]:
    """Whether the callers give what networks compute is asked only where it makes a difference."""
    views = (*((frame,) if may_place(frame) else ()), *with_held_objects(frame))
    if not views:
        return ()
    given = _given_in_sight(frame)
    found = tuple(one for view in views for one in meetings(view, arguments=True, given=given))
    elsewhere = brought_from_elsewhere(frame) - given if found else frozenset()
    if elsewhere:
        found = tuple(one for view in views for one in meetings(view, arguments=True, given=given, elsewhere=elsewhere))
    if not found or _is_of_networks(frame):
        return found
    given = given_by_callers(frame)
    return tuple(one for view in views for one in meetings(view, arguments=False, given=given))


def _given_in_sight(frame: Frame) -> frozenset[int]:
    """The parameters that are tensors although nothing in the function says so: those of a loss by their names, those
    of a module's helper by what its other methods pass."""
    is_module = frame.view is not None and frame.view.is_module
    if is_module and frame.function.name != "forward" and frame.outer is None:
        return given_by_callers(frame)
    if not _LOSS.fullmatch(frame.function.name.lower()):
        return frozenset()
    return frozenset(
        index
        for index, parameter in enumerate(frame.function.parameters)
        if parameter.default is None and parameter.annotation is None and _plain(parameter.name) in _OF_LOSSES
    )


def _plain(name: str) -> str:
    """The word in the name of a parameter: "z" of z1 and z_i, "pred" of preds."""
    return re.sub(r"(_[a-bij]|_?\d)$", "", name.lower()).rstrip("s")


def _is_on_path(frame: Frame) -> bool:
    """False for construction, and for what works on data. A module is none of that, whatever it is called."""
    method, view = frame.method, frame.view
    is_module = view is not None and view.is_module
    if not is_module and _FILE_OF_DATA.fullmatch(frame.path.replace("\\", "/").rpartition("/")[2].lower()):
        return False
    if any(map(_ON_CPU.fullmatch, (method.name.lower(), frame.function.name.lower()))) and not _uses_state(frame):
        return False
    if is_decorated(method, "classmethod"):
        return False
    owner = (method.owner or "").rpartition(".")[2]
    if not is_module and _CLASS_OF_DATA.fullmatch(owner):
        return False
    if view is None or not is_module:
        return True
    return id(method.definition) not in view.only_building and method.name != "__init__"


def _uses_state(frame: Frame) -> bool:
    """True for a transform() of a module that computes with its parameters or buffers: an STFT, a flow."""
    if frame.view is None or not frame.view.is_module or not _TRANSFORM.fullmatch(frame.method.name.lower()):
        return False
    read = (event.term for event in frame.method.events if isinstance(event, Evaluated))
    own = (term for term in read if isinstance(term, Attribute) and frame.is_self(term.base))
    return any(frame.value(term).kind in (Kind.PARAMETER, Kind.BUFFER) for term in own)


def runs_in_modules(frame: Frame) -> bool:
    """True for the methods of modules, and for functions that such a method calls while the module runs."""
    frame = _of_module(frame)
    if frame.view is not None:
        return frame.view.is_module
    callers = (moment.frame for moment in callers_of(frame))
    return any(one.view is not None and one.view.is_module and _is_on_path(one) for one in callers)


def takes_network_values(frame: Frame) -> bool:
    """True where the tensors among the parameters lie where a network does: in a module, in a loss, in a function that
    names them like what networks compute, and where a caller passes what a network computed."""
    return _is_of_networks(frame) or bool(given_by_callers(frame))


def _is_of_networks(frame: Frame) -> bool:
    """True by what the function is and how it names its parameters, unless it is called for data."""
    if frame.view is not None and frame.view.is_module:
        return True
    if _LOSS.fullmatch(frame.function.name.lower()):
        return True
    names = {_plain(parameter.name) for parameter in frame.function.parameters}
    return bool(names & _OF_NETWORKS or _computes(frame.function)) and not _works_on_data(frame)


def _computes(function: Function) -> bool:
    """True for a function that calls torch.nn.functional for more than what is done to pictures in a data set."""
    called = (call.callee.name for call in function.calls if isinstance(call.callee, Imported))
    return any(name.startswith(_FUNCTIONAL) and name.rpartition(".")[2] not in _OF_PICTURES for name in called)


def _works_on_data(frame: Frame) -> bool:
    """True where a caller works on data; one of a plain function also by moving what that made of them."""
    is_plain = frame.view is None or not frame.view.is_module
    return any(not _is_on_path(one.frame) or (is_plain and is_moved_afterwards(one)) for one in callers_of(frame))


def given_by_callers(frame: Frame) -> frozenset[int]:
    """The parameters, by position, for which a caller passes a tensor that lies where a network does."""
    return frozenset(frame.once("given by callers", lambda: _find_given(frame)))


def _find_given(frame: Frame) -> frozenset[int]:
    if _works_on_data(frame):
        return frozenset()
    return frozenset[int]().union(*(_given_by(moment, frame) for moment in callers_of(frame)))


def _given_by(moment: Moment, frame: Frame) -> frozenset[int]:
    event, caller = moment.event, moment.frame
    if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
        return frozenset()
    is_module = caller.view is not None and caller.view.is_module and caller.method.name != "__init__"
    return Followers(caller, is_module).given_to(event.term, frame)
