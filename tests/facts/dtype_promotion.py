"""The dtype that operators give: promotion, division, Python numbers, comparisons, masks."""
import torch

half, single, double = torch.zeros(1).half(), torch.zeros(1), torch.zeros(1).double()
brain, small, long = torch.zeros(1).bfloat16(), torch.zeros(1).int(), torch.arange(1)
mask, wave = torch.zeros(1).bool(), torch.zeros(1, dtype=torch.complex64)
byte, tiny = torch.zeros(1).byte(), torch.zeros(1, dtype=torch.int8)


def tensors(x: torch.Tensor, anything):
    half + single  # fact: tensor float32
    half + brain  # fact: tensor float32
    half * long  # fact: tensor float16
    small - long  # fact: tensor int64
    mask + mask  # fact: tensor bool
    mask * small  # fact: tensor int32
    byte + tiny  # fact: tensor int16
    single + wave  # fact: tensor complex64
    double * wave  # fact: tensor complex128
    half @ half  # fact: tensor float16
    x + single  # fact: tensor dtype ? from x
    x * x  # fact: tensor dtype ? from x
    x // x  # fact: tensor dtype ? from x
    x % 2  # fact: tensor dtype ? from x
    x ** 2  # fact: tensor dtype ? from x
    x - anything  # fact: tensor dtype ? from anything, x
    x + long  # fact: tensor dtype ? from x
    x @ half  # fact: tensor dtype ? from x
    anything + single  # fact: tensor floating from anything
    anything + long  # fact: tensor dtype ? from anything
    anything + x  # fact: tensor dtype ? from anything, x
    return -half  # fact: tensor float16


def numbers(x: torch.Tensor, count: int, ratio: float, anything):
    half + 1  # fact: tensor float16
    half * 2.5  # fact: tensor float16
    half ** 2  # fact: tensor float16
    2 ** half  # fact: tensor float16
    long + 1  # fact: tensor int64
    long * 2.5  # fact: tensor float32
    long + count  # fact: tensor int64
    long * ratio  # fact: tensor float32
    long / 2  # fact: tensor float32
    long / long  # fact: tensor float32
    long // 2  # fact: tensor int64
    long % 2  # fact: tensor int64
    small / half  # fact: tensor float16
    single / anything  # fact: tensor floating
    mask + 1  # fact: tensor int64
    mask * 2.0  # fact: tensor float32
    x / 2  # fact: tensor floating from x
    x + 1  # fact: tensor dtype ? from x
    1 - x  # fact: tensor dtype ? from x
    long * anything  # fact: tensor dtype ?
    half * 1j  # todo: tensor complex  a complex number makes a complex tensor
    single + torch.tensor(1.0).double()  # fact: tensor float32
    long + torch.tensor(1.0)  # fact: tensor float32
    torch.tensor(1) + small  # fact: tensor int32
    long & 1  # fact: tensor int64
    mask & anything  # todo: tensor dtype ?  a mask and something unknown may make integers
    mask & 1  # todo: tensor int64  a mask and an integer make integers
    return long << 1  # fact: tensor int64


def comparisons(x: torch.Tensor, anything):
    half > 0  # fact: tensor bool detached
    x == 3  # fact: tensor bool from x
    0 < half  # fact: tensor bool
    x.eq(3)  # fact: tensor bool from x
    torch.isnan(x)  # fact: tensor bool
    mask & mask  # fact: tensor bool
    mask | (half > 0)  # fact: tensor bool
    ~mask  # fact: tensor bool
    mask ^ mask  # fact: tensor bool
    x > anything  # fact: tensor bool
    anything == 3  # fact: unknown bool from anything
    anything > anything  # fact: unknown bool
    x & x  # fact: tensor dtype ?
    ~x  # fact: tensor dtype ?
    not anything  # fact: number bool
    x is None  # fact: number bool
    anything in [1]  # fact: number bool
    anything and x  # fact: unknown dtype ?
    half[mask]  # fact: tensor float16
    mask[0]  # fact: tensor bool
    anything[mask]  # fact: unknown dtype ?
    return x[half > 0]  # fact: tensor dtype ? from x


def guessed(x: torch.Tensor, anything, other):
    long + x.size  # fact: tensor dtype ?
    x - other  # fact: tensor dtype ?
    x * 1j  # fact: tensor dtype ?
    long - anything.shape  # fact: tensor dtype ?
    anything @ half  # fact: tensor floating
    anything @ long  # fact: tensor dtype ?
    anything / other  # fact: unknown floating
    anything - other  # fact: unknown dtype ?
    long / anything  # fact: tensor floating
    -anything  # fact: unknown dtype ?
    abs(anything)  # fact: unknown dtype ?
    abs(x)  # fact: tensor dtype ?
    return anything @ other  # fact: unknown dtype ?


def assigned(x: torch.Tensor, count: int):
    value = torch.zeros(2).half()
    value *= 2  # fact: tensor float16
    value += single  # fact: tensor float16
    value = x
    value += 1  # fact: tensor dtype ? from x
    count += 1  # fact: number integral
    count /= 2  # fact: number floating
    count -= x  # fact: tensor floating
    return count  # fact: tensor floating


def plain_numbers(count: int, ratio: float, anything):
    count + 1  # fact: number integral
    count / 2  # fact: number floating
    count * ratio  # fact: number floating
    count ** 2  # fact: number dtype ?
    count // 2  # fact: number integral
    count // ratio  # fact: number floating
    -count  # fact: number integral
    count > 1  # fact: number bool
    count * anything  # fact: unknown dtype ?
    anything + anything  # fact: unknown dtype ?
    "a" + "b"  # fact: other
    "a" * count  # fact: unknown dtype ?
    count * "a"  # fact: unknown dtype ?
    [1] + [2]  # fact: container of number integral
    [1] * 3  # fact: container of number integral
    return 3 if anything else ratio  # fact: number dtype ?


class Sized:
    """Whatever is done to it, it is a tensor of integers."""

    size = shape = 1

    def operate(self, *_):
        return torch.zeros(2).long()

    __sub__ = __mul__ = __rmatmul__ = __neg__ = __abs__ = operate

    def floats(self, _):
        return torch.zeros(2)

    __truediv__ = __matmul__ = __rtruediv__ = floats


def demo():
    tensors(half, single)
    numbers(single, 1, 2.0, long)
    comparisons(mask, long)
    guessed(Sized(), Sized(), Sized())
    assigned(single, 3)
    plain_numbers(1, 2.0, 3)
