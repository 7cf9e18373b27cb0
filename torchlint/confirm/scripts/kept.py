"""The scripts for TL116: a state that is kept, and changes with the model."""

from __future__ import annotations

from torchlint.confirm.scripts.head import Seen

_PARTS = '''
PARAMETERS = []  # all that modules get
nn.modules.module.register_module_parameter_registration_hook(
    lambda module, name, parameter: PARAMETERS.append(parameter)
)


def tensors(value):
    """The tensors in a value."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, nn.Module):
        return [*value.parameters(), *value.buffers()]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple, set)) else ()
    return [one for part in parts for one in tensors(part)]


def learn():
    """Change all parameters in place, as the step of an optimizer does."""
    with torch.no_grad():
        for one in PARAMETERS:
            if one is not None and one.is_floating_point():
                one.add_(0.3)

'''
_HELD = '''
def is_seen():
    """Whether a step on the model changes what self.<holder> keeps."""
    function, given, named = prepared()
    result = function(*given, **named)
    keepers = [one for one in (getattr(function, "__self__", function), result) if hasattr(one, "<holder>")]
    held = [tensor for one in keepers for tensor in tensors(one.<holder>)] or tensors(result)
    before = [one.detach().clone() for one in held]
    learn()
    return any(not torch.equal(one, old) for one, old in zip(held, before))
'''
_USED = '''
KEPT, WRITTEN = {}, []  # what state_dict() gives at the line, and its values then; who gets others of it later


def given_out(module, *given, **named):
    """The tensors of a model, which are remembered where the line asks for them; copies for all other lines."""
    state = give(module, *given, **named)
    if "destination" in named or not is_at_line():
        return state if "destination" in named else copy.deepcopy(state)
    KEPT.update((one.data_ptr(), (one, one.detach().clone())) for one in tensors(state))
    return state


def used(user, value):
    """Compare what is used now with what was kept."""
    mine = [KEPT[one.data_ptr()] for one in tensors(value) if one.data_ptr() in KEPT]
    if any(not torch.equal(one, before) for one, before in mine):
        WRITTEN.append(user)


def loaded(module, state_dict, *given, **named):
    """A state that is loaded is used."""
    used("load_state_dict()", state_dict)
    return load(module, state_dict, *given, **named)


give, nn.Module.state_dict = nn.Module.state_dict, given_out
load, nn.Module.load_state_dict = nn.Module.load_state_dict, loaded
torch.save = lambda value, *given, **named: used("save()", value)


def writes(*, is_trained):
    """Who gets tensors that were written to. is_trained: the models learn something before the call."""
    KEPT.clear()
    WRITTEN.clear()
    PARAMETERS.clear()
    function, given, named = prepared()
    for one in (*given, *named.values()):
        for group in one.param_groups if isinstance(one, torch.optim.Optimizer) else ():
            for parameter in group["params"]:
                parameter.grad = torch.ones_like(parameter)
    if is_trained:
        learn()
    try:
        used("the return", function(*given, **named))
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    return list(WRITTEN)


def is_seen():
    """Whether somebody gets tensors that were written to since the line kept them."""
    return any(writes(is_trained=one) for one in (False, True))
'''


def kept_state(seen: Seen) -> str | None:
    """The script for what an attribute keeps, or for what is taken of a state later."""
    holder = seen.harm.get("holder")
    return _PARTS + (_HELD.replace("<holder>", holder) if holder else _USED)
