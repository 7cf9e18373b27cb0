"""The pretend device: what runs on it as on CUDA, what raises as there, and what it leaves undecided."""

from __future__ import annotations

import copy
import importlib.util
import inspect
import pickle
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional
from zoo import ZOO, Specimen

from torchlint.confirm.inside import questions
from torchlint.confirm.inside.placed import NotSimulatedError, Placed
from torchlint.confirm.inside.simulated import SimulatedTrace, prepare, simulation
from torchlint.confirm.inside.trace import Clash, Trace
from torchlint.confirm.inside.walk import walk

HISTORIES = ("as built", "when used")
CUDA = torch.device("cuda", 0)
HAS_CUDA = torch.cuda.is_available()
# The first backward of a process counts its devices; from here on it is noticed who asks for CUDA.
prepare()


# The zoo


def moved(specimen: Specimen, history: str, trace: Trace) -> nn.Module:
    """A specimen on the device; what stayed behind is marked."""
    torch.manual_seed(0)
    module = specimen.kind()
    if history == "when used":
        module.eval()
        module(inputs())
    module.to("cuda")
    module.eval() if history == "as built" else None
    for one in walk(module):
        if not one.tensor.is_cuda:
            trace.mark(one.tensor, one.path)
    return module


def inputs() -> torch.Tensor:
    return torch.linspace(-1, 1, 24).reshape(2, 3, 4)


def clash_in(specimen: Specimen, history: str, trace: Trace) -> Clash | None:
    """Run a specimen on the device; where two devices met, if they did."""
    module = moved(specimen, history, trace)
    try:
        module(inputs().cuda())
    except (RuntimeError, TypeError) as error:
        trace.settle(error)
        return trace.clashes[-1] if trace.clashes else Clash("raised", "", frozenset(), 0, str(error))
    return None


def expected_line(specimen: Specimen) -> int:
    lines, first = inspect.getsourcelines(specimen.kind)
    return next(first + index for index, line in enumerate(lines) if "# meets" in line)


def test_the_zoo_is_as_large_as_it_was_planned():
    answers = [one.runs(history) for one in ZOO for history in HISTORIES]
    assert (len(answers), answers.count(True), answers.count(False)) == (72, 44, 28)


@pytest.mark.parametrize("history", HISTORIES)
@pytest.mark.parametrize("specimen", ZOO, ids=lambda one: one.kind.__name__)
def test_zoo_on_the_pretend_device(specimen: Specimen, history: str):
    trace = SimulatedTrace(inspect.getfile(specimen.kind))
    with simulation(trace):
        found = clash_in(specimen, history, trace)
    assert not trace.doubts
    if specimen.runs(history):
        assert found is None
    else:
        assert found is not None
        line = expected_line(specimen)
        culprit = f"line {line}" if specimen.culprit == "here" else specimen.culprit
        assert (found.line, found.names) == (line, {culprit} if culprit else set())


@pytest.mark.skipif(not HAS_CUDA, reason="needs a CUDA device")
@pytest.mark.parametrize("history", HISTORIES)
@pytest.mark.parametrize("specimen", ZOO, ids=lambda one: one.kind.__name__)
def test_zoo_on_a_real_device(specimen: Specimen, history: str):
    trace = Trace(inspect.getfile(specimen.kind))
    with torch.no_grad(), trace:
        found = clash_in(specimen, history, trace)
    assert (found is None) == specimen.runs(history)
    if found is not None and specimen.culprit not in ("", "here"):
        assert (found.line, found.names) == (expected_line(specimen), {specimen.culprit})


# What runs on the device


@contextmanager
def pretending(file: str = __file__) -> Iterator[SimulatedTrace]:
    trace = SimulatedTrace(file)
    with simulation(trace):
        yield trace


def ones(*shape: int) -> torch.Tensor:
    return torch.ones(*shape, device="cuda")


LAYERS: list[tuple[Callable[[], nn.Module], tuple[int, ...]]] = [
    (lambda: nn.Linear(4, 3), (2, 4)),
    (lambda: nn.Bilinear(4, 4, 3), (2, 4)),
    (lambda: nn.Conv1d(4, 3, 3, padding="same"), (2, 4, 8)),
    (lambda: nn.Conv2d(4, 8, 3, groups=4, stride=2), (2, 4, 8, 8)),
    (lambda: nn.ConvTranspose2d(4, 3, 2, stride=2), (2, 4, 8, 8)),
    (lambda: nn.BatchNorm2d(4), (2, 4, 8, 8)),
    (lambda: nn.GroupNorm(2, 4), (2, 4, 8)),
    (lambda: nn.LayerNorm(4), (2, 4)),
    (lambda: nn.RMSNorm(4), (2, 4)),
    (lambda: nn.Sequential(nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(2)), (2, 4, 8, 8)),
    (lambda: nn.Sequential(nn.Upsample(scale_factor=2, mode="bilinear"), nn.PixelShuffle(2)), (2, 4, 8, 8)),
    (lambda: nn.Sequential(nn.PReLU(4), nn.GELU(), nn.Softmax(-1), nn.Dropout(0.5)), (2, 4, 8)),
    (lambda: nn.utils.parametrizations.weight_norm(nn.Linear(4, 3)), (2, 4)),
    (lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3)), (2, 4)),
    (lambda: nn.LSTM(4, 3, num_layers=2, bidirectional=True), (5, 2, 4)),
    (lambda: nn.GRU(4, 3, batch_first=True), (2, 5, 4)),
    (lambda: nn.RNN(4, 3, nonlinearity="relu"), (5, 2, 4)),
    (lambda: nn.LSTMCell(4, 3), (2, 4)),
    (lambda: nn.GRUCell(4, 3), (2, 4)),
    (lambda: nn.RNNCell(4, 3), (2, 4)),
    (lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), (2, 5, 8)),
    (lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, norm_first=True), 2), (5, 2, 8)),
]


def tensors_of(result: Any) -> list[torch.Tensor]:
    return [result] if isinstance(result, torch.Tensor) else [tensor for one in result for tensor in tensors_of(one)]


def applied(layer: nn.Module, *given: torch.Tensor) -> list[torch.Tensor]:
    torch.manual_seed(1)
    return tensors_of(layer(*given * (2 if isinstance(layer, nn.Bilinear) else 1)))


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(("make", "shape"), LAYERS)
def test_values_and_gradients_are_those_of_the_cpu(
    make: Callable[[], nn.Module], shape: tuple[int, ...], training: bool
):
    torch.manual_seed(0)
    layer, x = make().train(training), torch.randn(shape, requires_grad=True)
    other = copy.deepcopy(layer)
    expected = applied(layer, x)
    sum(one.square().sum() for one in expected).backward()
    with pretending() as trace, torch.enable_grad():
        other.to("cuda")
        moved_x = x.detach().cuda().requires_grad_()
        found = applied(other, moved_x)
        sum(one.square().sum() for one in found).backward()
        assert all(one.device == CUDA for one in [*found, *(part.grad for part in other.parameters())])
        other.cpu()
    for one, two in zip(expected, found, strict=True):
        torch.testing.assert_close(one, two.values)
    torch.testing.assert_close(x.grad, moved_x.grad.values)
    for part, moved_part in zip(layer.parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(part.grad, moved_part.grad)
    for part, moved_part in zip(layer.buffers(), other.buffers(), strict=True):
        torch.testing.assert_close(part, moved_part)
    assert not trace.clashes
    assert not trace.doubts


def test_padding_mask_and_decoder_of_a_transformer():
    torch.manual_seed(0)
    model = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0, batch_first=True).eval()
    source, target = torch.randn(2, 5, 8), torch.randn(2, 4, 8)
    padding = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    causal = nn.Transformer.generate_square_subsequent_mask(4)
    expected = model(source, target, tgt_mask=causal, src_key_padding_mask=padding)
    with pretending():
        model.cuda()
        found = model(source.cuda(), target.cuda(), tgt_mask=causal.cuda(), src_key_padding_mask=padding.cuda())
    torch.testing.assert_close(found.values, expected)


def test_packed_sequence_keeps_its_lengths_on_the_cpu():
    with pretending() as trace:
        packed = nn.utils.rnn.pack_padded_sequence(ones(2, 5, 3), torch.tensor([5, 3]), batch_first=True)
        output, _ = nn.LSTM(3, 4).cuda()(packed)
        padded, lengths = nn.utils.rnn.pad_packed_sequence(output, batch_first=True)
        assert (padded.device, lengths.device) == (CUDA, torch.device("cpu"))
    assert not trace.clashes


@pytest.mark.parametrize(
    "move",
    [
        lambda module: module.cuda(),
        lambda module: module.cuda(0),
        lambda module: module.to("cuda:0"),
        lambda module: module.to(0),
        lambda module: module.to(torch.device("cuda")),
        lambda module: module.to(device="cuda", dtype=torch.float64),
        lambda module: module.to("cuda", torch.bfloat16),
        lambda module: module.to(ones(1)),
        lambda module: module.cuda().cpu().cuda(),
    ],
)
def test_a_moved_module_keeps_its_parameters_and_ties(move: Callable[[nn.Module], Any]):
    inner, outer = nn.Linear(2, 2), nn.Linear(2, 2)
    outer.weight = inner.weight
    module = nn.Sequential(inner, nn.Sequential(outer, nn.BatchNorm1d(2)))
    before = list(module.parameters())
    with pretending():
        move(module)
        assert [one.device for one in (*module.parameters(), *module.buffers())] == [CUDA] * 8
        assert inner.weight is outer.weight
    assert all(
        one is other and isinstance(one, nn.Parameter) for one, other in zip(before, module.parameters(), strict=True)
    )


def test_a_parameter_moves_also_where_views_graphs_and_weak_references_hold_it():
    layer = nn.Linear(2, 2)
    weight, view, graph = layer.weight, layer.weight[:1], layer(torch.ones(1, 2)) * 2
    weight.tag, reference = "mine", weakref.ref(weight)
    with pretending():
        layer.cuda()
        assert layer.weight is weight is reference()
        assert (weight.device, weight.tag) == (CUDA, "mine")
        assert (view.device.type, graph.device.type) == ("cpu", "cpu")


def test_assignment_to_data_carries_a_parameter_over():
    layer = nn.Linear(2, 2)
    weight = layer.weight
    with pretending():
        layer.weight.data = ones(2, 2)
        layer.weight.data = layer.weight.data * 2
        assert layer.weight is weight
        assert isinstance(weight, nn.Parameter)
        assert (weight.device, weight.requires_grad, weight.sum().item()) == (CUDA, True, 8)
        weight.data = torch.zeros(2, 2)
        assert weight.device.type == "cpu"


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_lie_on_the_device(copied: Callable[[nn.Module], nn.Module]):
    with pretending():
        layer = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)]).cuda()
        layer[1].weight = layer[0].weight
        other = copied(layer)
        assert other[0].weight is not layer[0].weight
        assert torch.equal(other[0].weight, layer[0].weight)
        assert other[0].weight.device == CUDA
        assert isinstance(other[0].weight, nn.Parameter)


def test_a_part_of_a_graph_is_not_copied():
    with pretending(), torch.enable_grad(), pytest.raises(RuntimeError, match="graph leaves"):
        copy.deepcopy(ones(2).requires_grad_() * 2)


def test_views_share_their_memory():
    with pretending():
        whole = ones(4)
        part = whole[:2]
        part.add_(1)
        assert whole.tolist() == [2, 2, 1, 1]
        assert part._base is whole
        assert part.data_ptr() == whole.data_ptr()
        assert part.untyped_storage().data_ptr() == whole.untyped_storage().data_ptr()


def test_operations_that_change_a_shape_in_place():
    with pretending():
        x = ones(2, 3)
        same = x
        assert x.unsqueeze_(0).transpose_(1, 2) is same
        assert (same.shape, (same * 2).shape) == ((1, 3, 2), (1, 3, 2))
        x.resize_(4, 4)
        assert same.shape == (4, 4)


def test_out_is_handed_back():
    with pretending():
        out, values, places = torch.empty(0, device="cuda"), ones(3), ones(3).long()
        assert torch.add(ones(2, 3), ones(2, 3), out=out) is out
        assert (out.shape, out.sum().item()) == ((2, 3), 12)
        assert torch.sort(ones(3), out=(values, places))[0] is values


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.zeros(2, device="cuda:0"),
        lambda: torch.zeros(2, device=0),
        lambda: torch.zeros(2).cuda(),
        lambda: torch.zeros(2, device=ones(1).device),
        lambda: torch.zeros_like(ones(2)),
        lambda: torch.zeros_like(torch.ones(2), device="cuda"),
        lambda: torch.tensor([1, 2], device="cuda"),
        lambda: torch.tensor(ones(2)),
        lambda: torch.as_tensor([1, 2], device="cuda"),
        lambda: torch.as_tensor(ones(1), dtype=torch.float64, device=torch.device("cuda")),
        lambda: torch.scalar_tensor(1, device="cuda"),
        lambda: ones(1).new_tensor([1.0]),
        lambda: ones(1).new_zeros(2),
        lambda: torch.ones(2).type_as(ones(1)),
        lambda: torch.ones(2).type("torch.cuda.HalfTensor"),
        lambda: torch.arange(4).to(ones(1)),
        lambda: torch.from_numpy(ones(2).cpu().numpy()).to("cuda", non_blocking=True),
        lambda: torch.zeros(2).pin_memory().cuda(),
        lambda: torch.view_as_complex(ones(2, 2)).conj(),
        lambda: torch.fft.rfft(ones(4)),
        lambda: torch.func.vmap(lambda x: x + torch.zeros(1, device=x.device))(ones(3)),
    ],
)
def test_made_on_the_device(make: Callable[[], torch.Tensor]):
    with pretending() as trace:
        made = make()
        assert (made.device, made.is_cuda, made.is_cpu, made.get_device()) == (CUDA, True, False, 0)
        assert made.type().startswith("torch.cuda.") or made.is_complex()
    assert not trace.clashes


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.zeros(2),
        lambda: ones(2).cpu(),
        lambda: ones(2).to("cpu"),
        lambda: torch.tensor(ones(2), device="cpu"),
        lambda: torch.tensor([ones(2)[0], ones(2)[1]]),
        lambda: ones(2).new_zeros(2, device="cpu"),
        lambda: torch.zeros_like(ones(2), device="cpu"),
    ],
)
def test_made_on_the_cpu(make: Callable[[], torch.Tensor]):
    with pretending():
        assert make().device.type == "cpu"


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(2))
        self.register_buffer("keys", torch.zeros(1, 4, 2))
        self.register_buffer("steps", torch.tensor(0))

    def forward(self, x):
        self.total = self.total + x.sum(0)
        self.keys[:, : len(x)] = x
        self.steps += 1
        self.register_buffer("last", x * self.total, persistent=False)
        return self.keys[:, : int(self.steps)].sum() + self.last


def test_buffers_that_forward_replaces_or_writes_to():
    usual, other, x = Counting(), Counting(), torch.ones(3, 2)
    expected = [usual(x), usual(x)][-1]
    with pretending() as trace:
        other.cuda()
        found = [other(x.cuda()), other(x.cuda())][-1]
        assert {one.device for one in other.buffers()} == {CUDA}
        other.cpu()
    torch.testing.assert_close(found.values, expected)
    torch.testing.assert_close(other.state_dict(), usual.state_dict())
    assert not trace.clashes


def test_an_alias_of_a_buffer_is_left_behind():
    module = nn.BatchNorm1d(2)
    module.alias = module.running_mean
    with pretending():
        module.cuda()
        assert (module.running_mean.device, module.alias.device.type) == (CUDA, "cpu")


def test_default_devices_count():
    with pretending():
        with torch.device("cuda"):
            made = [torch.ones(2), torch.tensor([1]), nn.Linear(2, 2).weight]
        torch.set_default_device("cuda")
        made += [torch.ones(2), torch.tensor([1]), torch.as_tensor([1]), torch.arange(3), nn.Linear(2, 2).weight]
        assert {one.device for one in made} == {CUDA}
    assert torch.ones(2).device.type == "cpu"


def test_values_come_back():
    with pretending():
        x = ones(2)
        assert (x.tolist(), x[0].item(), float(x[0]), int(x[0]), bool(x[0]), len(x)) == ([1, 1], 1, 1, 1, True, 2)
        assert f"{x[0]:.2f}" == "1.00"
        assert x.numpy(force=True).sum() == 2
        assert "abc"[x[0].long()] == "b"


def test_indices_of_every_kind():
    with pretending() as trace:
        x = ones(4, 3)
        x[[0, 1]] = 3.0
        x[x > 2] = torch.tensor(1.0)
        x[0:2] = torch.zeros(2, 3)
        x[torch.tensor([0, 1]), 0] = 5
        picked = [
            x[[0, 1]],
            x[:, [0, 1]],
            x[range(2)],
            x[torch.tensor([True, False, True, False])],
            x[..., None],
            x[True],
        ]
        assert all(one.device == CUDA for one in picked)
        assert x.sum().item() == 16
    assert not trace.clashes


def test_autocast_of_cuda_does_not_raise():
    with pretending(), torch.autocast("cuda", dtype=torch.float16):
        x = nn.Linear(2, 2).cuda()(ones(1, 2))
        with torch.autocast(x.device.type, enabled=False):
            assert x.device.type == "cuda"


def test_generators_have_a_device():
    with pretending():
        generator = torch.Generator(device="cuda").manual_seed(3)
        assert (isinstance(generator, torch.Generator), generator.device) == (True, CUDA)
        drawn = torch.randn(3, generator=generator, device="cuda")
        assert drawn.tolist() == torch.randn(3, generator=torch.Generator().manual_seed(3)).tolist()
        with pytest.raises(RuntimeError, match="generator"):
            torch.randn(3, generator=torch.Generator(), device="cuda")


def test_decorated_functions_run():
    @torch.jit.script
    def scripted(x: torch.Tensor):
        return torch.arange(x.size(0), device=x.device) + x

    compiled = torch.compile(lambda x: x * 2)
    with pretending():
        assert scripted(ones(3)).device == CUDA
        assert compiled(ones(3)).device == CUDA


class Doubled(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda")
    def forward(ctx, x):
        return x * 2

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
    def backward(ctx, gradient):
        return gradient * 2


def test_functions_with_a_backward_of_their_own_run():
    with pretending(), torch.enable_grad():
        x = ones(2).requires_grad_()
        Doubled.apply(x).sum().backward()
        assert (x.grad.device, x.grad.tolist()) == (CUDA, [2, 2])


def test_checkpointing_and_an_optimizer_run():
    from torch.utils.checkpoint import checkpoint

    with pretending() as trace, torch.enable_grad():
        layer = nn.Linear(2, 2).cuda()
        checkpoint(layer, ones(1, 2).requires_grad_(), use_reentrant=False).sum().backward()
        nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
        torch.optim.AdamW(layer.parameters()).step()
        assert layer.weight.grad.device == CUDA
    assert not trace.clashes


# Where two devices may and may not meet


@pytest.mark.parametrize(
    "meet",
    [
        lambda x, s: x * s,
        lambda x, s: s - x,
        lambda x, s: x.add_(s),
        lambda x, s: x == s,
        lambda x, s: torch.maximum(s, x) + s,
        lambda x, s: torch.where(x > 0, x, s),
        lambda x, s: torch.where(x > 0, s, s),
        lambda x, s: x.masked_fill(x > 0, s),
        lambda x, s: x.fill_(s),
        lambda x, s: x.copy_(torch.zeros(2, 2)),
        lambda x, s: torch.zeros(2, 2).copy_(x),
        lambda x, s: torch.slice_scatter(x, torch.zeros(1, 2), end=1) + x,
        lambda x, s: torch._foreach_copy_([x, x], [torch.zeros(2, 2), x]),
        lambda x, s: torch.eye(2)[x.long()[0, 0]],
        lambda x, s: x[torch.tensor(0), torch.tensor([1])],
        lambda x, s: x.view_as(torch.zeros(4)).expand_as(torch.zeros(2, 4)),
        lambda x, s: functional.ctc_loss(
            torch.randn(5, 2, 4).cuda(), x.long(), torch.tensor([5, 5]), torch.tensor([2, 2])
        ),
    ],
)
def test_these_may_meet(meet: Callable[[torch.Tensor, torch.Tensor], Any]):
    with pretending() as trace:
        meet(ones(2, 2), torch.tensor(2.0))
    assert not trace.clashes
    assert not trace.doubts


@pytest.mark.parametrize(
    "meet",
    [
        lambda x: x @ torch.ones(2, 2),
        lambda x: x + torch.ones(1),
        lambda x: torch.zeros(2, 2).add_(x),
        lambda x: torch.tensor(1.0).add_(x[0, 0]),
        lambda x: torch.add(x, x, out=torch.zeros(2, 2)),
        lambda x: torch.cat([x, torch.ones(2, 2)]),
        lambda x: torch.stack([x, torch.ones(2, 2)]),
        lambda x: torch.einsum("ij,jk", x, torch.ones(2, 2)),
        lambda x: torch.equal(x, torch.ones(2, 2)),
        lambda x: torch.cdist(x, torch.ones(2, 2)),
        lambda x: x.take(torch.tensor([0])),
        lambda x: x.gather(0, torch.zeros(1, 1, dtype=torch.long)),
        lambda x: x.scatter_(0, torch.zeros(1, 2, dtype=torch.long), 1.0),
        lambda x: x.masked_fill(torch.tensor(True), 0.0),
        lambda x: torch.eye(2)[x.long()],
        lambda x: torch.eye(2).index_put_((torch.tensor([0]),), x[0]),
        lambda x: nn.Linear(2, 2)(x * 2),
        lambda x: nn.LayerNorm(2)(x * 2),
        lambda x: nn.BatchNorm1d(2)(x * 2),
        lambda x: nn.LSTM(2, 2)(x * 2),
        lambda x: nn.GRUCell(2, 2)(x * 2),
        lambda x: nn.Embedding(3, 3).cuda()(torch.tensor([0])),
        lambda x: functional.cross_entropy(x, torch.tensor([0, 1])),
        lambda x: functional.grid_sample(x[None, None], torch.zeros(1, 2, 2, 2)),
        lambda x: functional.scaled_dot_product_attention(x[None], x[None], x[None], attn_mask=torch.ones(2, 2)),
        lambda x: x.numpy(),
    ],
)
def test_these_may_not_meet(meet: Callable[[torch.Tensor], Any]):
    with pretending() as trace:
        with pytest.raises((RuntimeError, TypeError)) as raised:
            meet(ones(2, 2))
        trace.settle(raised.value)
    assert [one.line for one in trace.clashes] == [meet.__code__.co_firstlineno]


@pytest.mark.parametrize(
    "beyond",
    [
        lambda x: x.to_sparse(),
        lambda x: torch.eye(3).to_sparse().cuda(),
        lambda x: torch.sparse_coo_tensor(torch.zeros(1, 1).long(), torch.ones(1), (2,), device="cuda"),
        lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.qint8),
        lambda x: torch.nested.nested_tensor([x, x]),
        lambda x: torch.ones(2, device="cuda:1"),
        lambda x: torch.ones(2).cuda(1),
        lambda x: x.clamp(min=torch.tensor(0.0)),
        lambda x: torch.lerp(x, x, torch.tensor(0.5)),
    ],
)
def test_what_is_not_simulated_proves_nothing(beyond: Callable[[torch.Tensor], Any]):
    with pretending() as trace:
        with pytest.raises(NotSimulatedError):
            beyond(ones(2, 2))
        with pytest.raises(RuntimeError):
            ones(2, 2) @ torch.ones(2, 2)
    assert trace.doubts
    assert not trace.clashes


def test_a_lazy_parameter_is_not_moved():
    with pretending(), pytest.raises(RuntimeError) as raised:
        nn.LazyLinear(3).cuda()
    assert isinstance(raised.value.__cause__, NotSimulatedError)


@pytest.fixture
def _no_askers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "_askers", set())


def asking(folder: Path) -> Any:
    """A module from a file that asks for CUDA once it is called."""
    (folder / "asks.py").write_text("import torch\ndef where(): return 'cuda' if torch.cuda.is_available() else 'cpu'")
    specification = importlib.util.spec_from_file_location("asks", folder / "asks.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.skipif(HAS_CUDA, reason="then the answer is yes")
@pytest.mark.usefixtures("_no_askers")
def test_who_asks_for_cuda_may_take_another_way(tmp_path: Path):
    asks = asking(tmp_path)
    with pretending() as trace:
        where = asks.where()
        with pytest.raises(RuntimeError):
            ones(2) + torch.ones(2, device=where)
    assert trace.doubts
    assert not trace.clashes


@pytest.mark.skipif(HAS_CUDA, reason="then the answer is yes")
@pytest.mark.usefixtures("_no_askers")
def test_a_file_that_has_asked_is_in_doubt_from_then_on(tmp_path: Path):
    asks = asking(tmp_path)
    assert not SimulatedTrace(asks.__file__).doubts
    exec(compile("answer = where()", str(tmp_path / "calls.py"), "exec"), {"where": asks.where})
    assert SimulatedTrace(asks.__file__).doubts
    assert SimulatedTrace(str(tmp_path / "calls.py")).doubts
    assert not SimulatedTrace(str(tmp_path / "other.py")).doubts


def test_torch_itself_may_ask_for_cuda():
    with pretending() as trace, torch.autocast("cuda"):
        torch.manual_seed(0)
    assert not trace.doubts


def test_nothing_of_a_simulation_is_left():
    before = (torch.Generator, torch.utils.swap_tensors, torch.is_grad_enabled())
    with pretending():
        pass
    assert before == (torch.Generator, torch.utils.swap_tensors, torch.is_grad_enabled())
    assert not torch.__future__.get_swap_module_params_on_conversion()
    assert HAS_CUDA or not torch.accelerator.is_available()
    assert not isinstance(torch.ones(1), Placed)
