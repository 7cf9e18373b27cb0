"""What the constructors make of a tuple, of a lone number, and of keywords."""
import torch
from torch import nn


class Drop(nn.Module):
    def forward(self, x):
        mask = torch.FloatTensor((x.shape[0], 1, 1)).uniform_() < 0.9  # expect: TL202
        return x * mask.float().sum()


class Table(nn.Module):
    def __init__(self, rows: int, columns: int):
        super().__init__()
        self.weight = nn.Parameter(torch.Tensor((rows, columns)).normal_())  # expect: TL202
        start = torch.Tensor([rows, columns])  # expect: TL202
        nn.init.normal_(start)
        self.start = nn.Parameter(start)

    def forward(self, x):
        return x * self.weight.sum() + self.start.sum()


def zeros_of_a_tuple(rows, columns):
    return torch.FloatTensor((rows, columns)).fill_(0)  # expect: TL202


def a_pair(other: torch.Tensor):
    pair = torch.Tensor((0, 0))  # note: TL202
    pair.copy_(other)
    return pair


def two_zeros():
    return torch.zeros(2).fill_(0)  # ok: TL202


def a_grid(rows, columns):
    return torch.zeros((rows, columns)).fill_(0)  # ok: TL202


def on_a_device(values, device):
    return torch.Tensor(values, device=device)  # expect: TL202


def beside_another(x: torch.Tensor):
    return torch.FloatTensor([0.5], device=x.device) + x  # expect: TL202


def with_a_dtype(values):
    return torch.Tensor(values, dtype=torch.float64)  # expect: TL202


def that_learns(values):
    return torch.Tensor(values, requires_grad=True)  # expect: TL202


def image_size(height: int, width: int):
    return torch.Tensor((height, width)) / 2  # note: TL202


def mean_and_scale():
    return torch.Tensor((0.485, 0.456)), torch.FloatTensor([0.229, 0.224])  # note: TL202


def on_the_cpu(values):
    return torch.Tensor(values, device="cpu")  # note: TL202


def on_the_cpu_by_name(values):
    return torch.Tensor(values, device=torch.device("cpu"))  # note: TL202


def moved(values, device):
    return torch.Tensor(values).to(device)  # note: TL202


def by_a_choice(values, wide: bool):
    Tensor = torch.DoubleTensor if wide else torch.FloatTensor
    return Tensor(values)  # note: TL202


def of_a_shape(x: torch.Tensor):
    return torch.Tensor(x.shape).uniform_() < 0.9  # note: TL202


def sizes_as_they_are(x: torch.Tensor):
    return torch.rand(x.shape[0], 1) < 0.9  # ok: TL202


def sizes_in_a_tuple(x: torch.Tensor):
    return torch.empty((x.shape[0], 1)).uniform_() < 0.9  # ok: TL202


def data_on_a_device(values, device):
    return torch.tensor(values, device=device)  # ok: TL202


def data_of_a_dtype(values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)  # ok: TL202


def data_as_it_is(values):
    return torch.as_tensor(values)  # ok: TL202


def like_another(x, values):
    return x.new_tensor(values)  # ok: TL202


def one_number(value: float):
    return torch.tensor(value)  # ok: TL202


def whole_numbers(values):
    return torch.tensor(values, dtype=torch.long)  # ok: TL202


def of_tensors(values):
    return torch.stack(values)  # ok: TL202


def typed(x):
    return x.type("torch.DoubleTensor")  # ok: TL202


def a_choice(wide: bool):
    return torch.zeros(1, dtype=torch.float64 if wide else torch.float32)  # ok: TL202


def a_filled_one(rows: int):
    return torch.zeros((rows, 2)).normal_()  # ok: TL202


def a_size(height: int, width: int):
    return torch.tensor((height, width))  # ok: TL202


def a_mask(values):
    return torch.tensor(values, dtype=torch.bool)  # ok: TL202


def a_copy(x: torch.Tensor):
    return x.clone().to(torch.float64)  # ok: TL202


def counted(n: int):
    return torch.empty(n, dtype=torch.int32).zero_()  # ok: TL202


def described(x):
    return x.dtype is torch.float32 and isinstance(x, (torch.Tensor, torch.nn.Parameter))  # ok: TL202


TYPES = {"single": torch.FloatTensor, "double": torch.DoubleTensor}  # ok: TL202


def set_default():
    torch.set_default_tensor_type(torch.FloatTensor)  # ok: TL202


def by_name(x):
    return torch.Tensor.add(x, 1)  # ok: TL202


def by_the_class_method(x):
    return torch.Tensor.as_subclass(x, torch.Tensor)  # ok: TL202


def subclass_of(x):
    return torch.Tensor._make_subclass(torch.Tensor, x)  # ok: TL202


def parsed(texts):
    return list(map(torch.as_tensor, texts))  # ok: TL202


def sparse(indices, values):
    return torch.sparse_coo_tensor(indices, values, (2, 2))  # ok: TL202


def demonstrate():
    x = torch.ones(4, 2, 2)
    assert Table(3, 5).weight.shape == Table(3, 5).start.shape == (2,)
    assert Drop()(x).shape == x.shape
    for call, error in (
        (lambda: on_a_device([1.0], "meta"), RuntimeError),
        (lambda: beside_another(x.to("meta")), RuntimeError),
        (lambda: with_a_dtype([1.0]), TypeError),
        (lambda: that_learns([1.0]), TypeError),
    ):
        try:
            call()
        except error:
            continue
        raise AssertionError("the constructor took the keyword")
    assert zeros_of_a_tuple(3, 4).shape == (2,) == two_zeros().shape
    assert a_pair(torch.ones(2)).tolist() == [1, 1]
    assert a_grid(3, 4).shape == (3, 4)
    assert image_size(4, 2).tolist() == [2, 1]
    assert of_a_shape(x).shape == x.shape
    assert on_the_cpu([1.0]).dtype is on_the_cpu_by_name([1]).dtype is moved([1], "cpu").dtype is torch.float32
    assert by_a_choice([1], True).dtype is torch.float64
