"""The script for TL117: an average that follows the weights of a model, and not its buffers."""

from __future__ import annotations

from torchlint.confirm.scripts.head import Seen

_AVERAGES = '''

def models_of(owner, given):
    """The models that have a part in it: the arguments, and what the object holds."""
    held = [*vars(owner).values(), *(owner.children() if isinstance(owner, nn.Module) else ())]
    found = {id(one): one for one in (*given, *held) if isinstance(one, nn.Module)}
    return [one for one in found.values() if any(True for _ in one.parameters())]


def state(named):
    """Copies of the floating tensors, by name."""
    return {name: one.detach().clone() for name, one in named if one.is_floating_point()}


def moved_apart(model, number):
    """Give each tensor of a model values that no other model has; its weights and its buffers then."""
    noise = torch.Generator().manual_seed(number + 1)
    with torch.no_grad():
        for one in (*model.parameters(), *model.buffers()):
            if one.is_floating_point():
                one.add_(torch.rand(one.shape, generator=noise) + 0.3)
    return state(model.named_parameters()), state(model.named_buffers())


def is_between(old, new, aim):
    """Whether weights went a part of the way to those of another model, all of them the same part."""
    if not old or old.keys() != aim.keys() or any(old[name].shape != aim[name].shape for name in old):
        return False
    starts, ends, now = (torch.cat([one[name].flatten() for name in old]).double() for one in (old, aim, new))
    way = ends - starts
    share = float(torch.dot(now - starts, way) / torch.dot(way, way))
    return 0.0001 < share < 0.9999 and float((now - starts - share * way).abs().max()) < 0.001


def stays(old, new, aim):
    """Whether a buffer is as it was, though that of the other model is another one."""
    same = [name for name in old if name in new and torch.equal(old[name], new[name])]
    return any(name in aim and old[name].shape == aim[name].shape for name in same)


def is_seen():
    """Whether the weights follow those of another model, and a buffer stays as it was."""
    function, given, named = prepared()
    # A number that may be the share of an average leaves neither model as it is.
    given = [0.75 if type(one) is float else one for one in given]
    named = {name: 0.75 if type(one) is float else one for name, one in named.items()}
    models = models_of(getattr(function, "__self__", function), [*given, *named.values()])
    before = [moved_apart(model, number) for number, model in enumerate(models)]
    function(*given, **named)
    after = [(state(model.named_parameters()), state(model.named_buffers())) for model in models]
    pairs = [(one, other) for one in range(len(models)) for other in range(len(models)) if one != other]
    return any(
        is_between(before[one][0], after[one][0], before[other][0])
        and stays(before[one][1], after[one][1], before[other][1])
        for one, other in pairs
    )
'''


def parameters_alone(seen: Seen) -> str | None:
    """The script for an average whose buffers stay behind."""
    return _AVERAGES
