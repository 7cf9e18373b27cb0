"""The script for TL204: a tensor that is made on the CPU wherever the module is."""

from __future__ import annotations

from torchlint.confirm.scripts.head import Seen

PRETENDED_DEVICE = '''
IS_REAL = torch.cuda.is_available()
THERE = {}  # without CUDA: the tensors that are taken to be on it, by identity
CONSTRUCTORS = """
    arange as_tensor empty eye full full_like linspace logspace ones rand randint randn randperm tensor tril_indices
    triu_indices zeros
""".split()
CARRIERS = ("to", "cuda", "cpu", "type_as", "copy_", "tensor", "as_tensor", "__set__")
ASIDE = ("_parse_to", "_has_compatible_shallow_copy_type")  # of what Module.to() does
WITH_LENGTHS = ("_pack_padded_sequence", "lstm", "gru", "rnn_tanh", "rnn_relu", "ctc_loss")


class Device(TorchFunctionMode):
    """CUDA, or without it the CPU, where tensors of the device are known by identity and may not meet others.

    of_line: also puts what the line makes on the device. of_others: what other lines make.
    """

    def __init__(self, *, of_line, of_others):
        super().__init__()
        self.of_line, self.of_others = of_line, of_others

    def __torch_function__(self, func, types, args=(), kwargs=None):
        named, is_here = dict(kwargs or {}), is_at_line()
        is_new = getattr(func, "__name__", "") in CONSTRUCTORS and named.get("device") is None
        result = func(*args, **named) if IS_REAL else pretended(func, args, named)
        is_moved = (self.of_line and is_here) or (self.of_others and is_new and not is_here)
        if not is_moved or not isinstance(result, torch.Tensor):
            return result
        return result.to("cuda") if IS_REAL else put([result], is_there=True)[0]


def pretended(func, args, named):
    """What an operation gives that would run on CUDA; raises where a tensor of the device meets one of the CPU."""
    name, attribute = getattr(func, "__name__", ""), getattr(getattr(func, "__self__", None), "__name__", "")
    first = args[0] if args else None
    if name == "__get__" and attribute in ("device", "is_cuda", "is_cpu") and id(first) in THERE:
        return {"device": torch.device("cuda", 0), "is_cuda": True, "is_cpu": False}[attribute]
    if func is torch.device or name in ASIDE:
        return func(*args, **named)
    operands, asked = tensors((args, named)), [one for one in (*args, *named.values()) if is_device(one)]
    if name not in CARRIERS:
        check(name, args, operands)
    goes_there = is_going_there(name, operands, asked)
    named.pop("non_blocking", None)
    if name == "cuda":
        result = first.clone()
    else:
        result = func(*map(on_the_cpu, args), **{key: on_the_cpu(one) for key, one in named.items()})
    if name == "__set__":
        put([first], is_there=id(first) in THERE if attribute != "data" else goes_there)
    elif result is first and (id(first) in THERE) != goes_there:
        result = first.clone()
    put(tensors(result), is_there=goes_there)
    return result


def is_going_there(name, operands, asked):
    """Whether the result lies on the device."""
    if name in ("cuda", "cpu"):
        return name == "cuda"
    if asked:
        return torch.device(asked[-1]).type == "cuda"
    if name in ("to", "type_as", "__set__"):
        return id(operands[-1]) in THERE
    return any(id(one) in THERE for one in (operands[:1] if name == "copy_" else operands))


def check(name, args, operands):
    """Raise where a tensor of the device meets one of the CPU: numbers may that stay as they are, and indices."""
    if name in ("__getitem__", "__setitem__"):
        operands = [args[0], *(one for one in tensors(args[1:2]) if id(one) in THERE), *tensors(args[2:])]
    is_in_place = name.startswith("__i") or (name.endswith("_") and not name.endswith("__"))
    strays = [one for one in operands if id(one) not in THERE and (one.dim() or (is_in_place and one is args[0]))]
    if name in WITH_LENGTHS:
        strays = [one for one in strays if one.is_floating_point()]
    if strays and any(id(one) in THERE for one in operands):
        shape = "x".join(map(str, strays[0].shape))
        raise RuntimeError(f"{name}: expected all tensors on the same device, found cuda:0, and a {shape} on the cpu")


def put(made, *, is_there):
    """Remember where tensors lie."""
    for one in made:
        if is_there:
            THERE[id(one)] = one
        else:
            THERE.pop(id(one), None)
    return made


def is_device(value):
    """Whether an argument says where a tensor is to be."""
    return isinstance(value, torch.device) or (isinstance(value, str) and value.partition(":")[0] in ("cpu", "cuda"))


def on_the_cpu(value):
    """An argument, where a device is the CPU."""
    return "cpu" if is_device(value) else value


def tensors(value):
    """The tensors in a value."""
    if isinstance(value, torch.Tensor):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [one for part in parts for one in tensors(part)]
'''
_IS_SEEN = '''

def error_of(**moves):
    """What the call raises on the device; "" for nothing."""
    try:
        with Device(**moves):
            call()
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return f"{type(error).__name__}: {error}"
    return ""


def is_seen():
    """Whether it raises, and does not where the tensor of the line lies on the device, as those of others may too."""
    for moves in (False, True):
        error = error_of(of_line=False, of_others=moves)
        is_of_places = "same device" in error or "should be the same" in error
        if is_of_places and error_of(of_line=True, of_others=moves) == "":
            return True
    return False
'''


def made_on_the_cpu(seen: Seen) -> str | None:
    """The script for a tensor of the line that others on the device may not meet."""
    return PRETENDED_DEVICE + _IS_SEEN
