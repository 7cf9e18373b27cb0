"""Where branches meet, a value is what they agree on: conditional expressions, if, early return, try, loops, match."""
import torch


def conditional(flag: bool, anything):
    x = torch.zeros(2) if flag else torch.ones(2)  # fact: tensor float32 on cpu
    x = torch.zeros(2) if flag else torch.zeros(2).half()  # fact: tensor floating
    x = torch.zeros(2) if flag else torch.zeros(2).long()  # fact: tensor dtype ?
    x = torch.zeros(2) if flag else 1.0  # fact: unknown floating
    x = torch.zeros(2).int() if flag else torch.zeros(2).bool()  # fact: tensor integral
    x = torch.zeros(2) if flag else None  # fact: tensor float32
    x = torch.zeros(2) if flag else anything  # fact: unknown dtype ? from anything
    x = anything or torch.zeros(2)  # fact: unknown dtype ? from anything
    x = torch.tensor(1.0) if flag else torch.zeros(2)  # fact: tensor float32
    dtype = torch.float16 if flag else torch.bfloat16
    x = torch.zeros(2, dtype=dtype)  # fact: tensor floating
    dtype = torch.float16 if flag else torch.int64
    x = torch.zeros(2, dtype=dtype)  # fact: tensor dtype ?
    make = torch.zeros if flag else torch.ones
    x = make(2)  # fact: tensor float32
    return x  # fact: tensor float32


def statement(flag: bool, anything):
    x = torch.zeros(2)
    if flag:
        x = torch.zeros(2).long()
        x  # fact: tensor int64
    x  # fact: tensor dtype ?
    if flag:
        y = torch.zeros(2)
    else:
        y = torch.ones(2)
    y  # fact: tensor float32
    if flag:
        z = anything
    elif anything:
        z = torch.zeros(2)
    else:
        z = torch.ones(2)
    z  # fact: unknown dtype ?
    if flag is not None:
        w = torch.zeros(2)
    else:
        raise ValueError(flag)
    w  # fact: tensor float32
    if not flag:
        w = torch.zeros(2).long()
        return w  # fact: tensor int64
    w  # fact: tensor float32
    if anything is None:
        anything = torch.zeros(2)
    return anything  # fact: unknown dtype ? from anything


def returned_early(flag: bool):
    if flag:
        return torch.zeros(2)
    return torch.zeros(2).long()


def returned_twice_the_same(flag: bool):
    if flag:
        return torch.zeros(2).half()
    else:
        return torch.ones(2).half()


def returned_or_nothing(flag: bool):
    if flag:
        return torch.zeros(2)


def callers(flag: bool):
    returned_early(flag)  # fact: tensor dtype ?
    returned_twice_the_same(flag)  # fact: tensor float16
    return returned_or_nothing(flag)  # fact: tensor float32


def tried(anything):
    try:
        x = torch.zeros(2)
    except ValueError:
        x = torch.zeros(2).long()
    x  # fact: tensor dtype ?
    try:
        y = anything()
    except TypeError:
        y = torch.zeros(2)
    y  # fact: unknown dtype ?
    try:
        z = torch.zeros(2)
    except ValueError:
        raise
    finally:
        w = torch.zeros(2).half()
    z  # fact: tensor float32
    w  # fact: tensor float16
    try:
        v = torch.zeros(2)
    except ValueError:
        return None
    else:
        v = v.long()
    return v  # fact: tensor int64


def looped(xs, count: int):
    x = torch.zeros(2)
    for _ in range(count):
        x = x.half()
    x  # fact: tensor floating
    y = torch.zeros(2)
    for item in xs:
        y = item
    y  # fact: unknown dtype ?
    z = torch.zeros(2)
    while count > 0:
        z  # todo: tensor dtype ?  the second time round a loop is not read
        z = z.long()
        count -= 1
    z  # fact: tensor dtype ?
    for w in (torch.zeros(1).half(), torch.ones(1).half()):
        w  # fact: tensor float16
    else:
        w = torch.zeros(1)
    return w  # fact: tensor float32


def matched(command, anything):
    match command:
        case "zeros":
            x = torch.zeros(2)
        case "longs":
            x = torch.zeros(2).long()
            x  # fact: tensor int64
        case _:
            x = torch.ones(2)
    x  # fact: tensor dtype ?
    match command:
        case "zeros":
            y = torch.zeros(2).half()
        case _:
            y = torch.ones(2).half()
    y  # fact: tensor float16
    z = torch.zeros(2)
    match anything:
        case 1:
            z = anything
    z  # fact: unknown dtype ?
    match command:
        case [first, *rest]:
            first  # fact: not known
            rest  # fact: not known
        case {"key": found}:
            found  # fact: not known
    w = torch.zeros(2)
    match anything:
        case w:
            w  # fact: not known
    match command:
        case torch.Tensor() as tensor:
            return tensor  # todo: tensor  a class pattern says what its name holds
    return y  # fact: tensor float16


def demo():
    for flag in (True, False):
        conditional(flag, torch.ones(1))
        statement(flag, torch.ones(1))
        callers(flag)
    tried(lambda: 1)
    looped([1], 1)
    for command in ("zeros", "longs", "other", torch.ones(1)):
        matched(command, 1)
