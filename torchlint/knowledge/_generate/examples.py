"""Hand-written calls of torch functions: where torch's own samples have none, or where one name does several jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from torchlint.knowledge._generate.observe import Call


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the tensors of a hand-written call in the dtype under test."""

    dtype: torch.dtype

    def tensor(self, *shape: int) -> torch.Tensor:
        """Ones of that shape, in the dtype under test."""
        return torch.ones(shape, dtype=self.dtype)

    def index(self, *shape: int) -> torch.Tensor:
        """int64 zeros of that shape."""
        return torch.zeros(shape, dtype=torch.int64)


Example = Callable[[Maker], Call]


def call(*args: Any, **keywords: Any) -> Call:
    """A Call, written as one writes a call."""
    return Call(args, keywords)


def _on_matrix(*args: Any, **keywords: Any) -> Example:
    return lambda make: call(make.tensor(3, 3), *args, **keywords)


def _without_tensor(*args: Any, **keywords: Any) -> Example:
    return lambda make: call(*args, **keywords)


def _on_vector(*args: Any, **keywords: Any) -> Example:
    return lambda make: call(make.tensor(4), *args, **keywords)


def _pair(*args: Any, **keywords: Any) -> Example:
    return lambda make: call(make.tensor(3), make.tensor(3), *args, **keywords)


def _pool_with_indices(kind: str, dimensions: int) -> Example:
    ratio: dict[str, Any] = {"output_ratio": (0.5,) * dimensions} if kind == "fractional_" else {}
    return lambda make: call(make.tensor(1, 2, *[6] * dimensions), 2, return_indices=True, **ratio)


def _rnn(gates: int, states: int) -> Example:
    def example(make: Maker) -> Call:
        hidden: Any = tuple(make.tensor(1, 2, 4) for _ in range(states)) if states > 1 else make.tensor(1, 2, 4)
        weights = [make.tensor(gates * 4, 3), make.tensor(gates * 4, 4), make.tensor(gates * 4), make.tensor(gates * 4)]
        return call(make.tensor(5, 2, 3), hidden, weights, True, 1, 0.0, False, False, False)

    return example


def _rnn_cell(gates: int, states: int) -> Example:
    def example(make: Maker) -> Call:
        hidden: Any = [make.tensor(2, 4) for _ in range(states)] if states > 1 else make.tensor(2, 4)
        return call(make.tensor(2, 3), hidden, make.tensor(gates * 4, 3), make.tensor(gates * 4, 4))

    return example


def _pool(dimensions: int) -> Example:
    return lambda make: call(make.tensor(1, 2, *[6] * dimensions), 2)


def _norm_pool(dimensions: int) -> Example:
    return lambda make: call(make.tensor(1, 2, *[6] * dimensions), 2.0, 2)


def _fractional_pool(dimensions: int) -> Example:
    return lambda make: call(make.tensor(1, 2, *[6] * dimensions), 2, output_ratio=(0.5,) * dimensions)


def _on_sparse(make: Maker) -> Call:
    return call(make.tensor(3, 3).to_sparse().coalesce())


def _index_put(make: Maker) -> Call:
    return call(make.tensor(3), (make.index(1),), make.tensor(1))


_METADATA_READS = """
    const_data_ptr cpu data data_ptr dense_dim detach device dim dim_order dtype element_size get_device grad_fn
    is_complex is_conj is_contiguous is_cpu is_cuda is_distributed is_floating_point is_inference is_ipu is_leaf
    is_maia is_meta is_mkldnn is_mps is_mtia is_neg is_nested is_pinned is_quantized is_shared is_signed is_sparse
    is_sparse_csr is_vulkan is_xla is_xpu itemsize layout name nbytes ndim ndimension nelement numel numpy output_nr
    requires_grad retains_grad shape size storage_offset stride tolist untyped_storage volatile requires_grad_ detach_
    to_dense to_sparse_coo to_sparse_csr share_memory_ random_ storage sparse_dim storage_type
    """.split()

_FLAGS = """
    are_deterministic_algorithms_enabled compiled_with_cxx11_abi get_float32_matmul_precision get_num_interop_threads
    get_num_threads initial_seed is_anomaly_check_nan_enabled is_anomaly_enabled is_autocast_cache_enabled
    is_autocast_cpu_enabled is_deterministic_algorithms_warn_only_enabled is_inference_mode_enabled
    is_vulkan_available is_warn_always_enabled get_default_dtype get_rng_state is_grad_enabled is_autocast_enabled
    get_default_device
    """.split()
_SIZED = """
    rand randn zeros ones empty eye randperm blackman_window hann_window hamming_window bartlett_window kaiser_window
    """.split()
_RANDOM_LIKE = "rand_like randn_like zeros_like ones_like empty_like".split()

EXAMPLES: dict[str, list[Example]] = {
    **{f"torch.{name}": [_without_tensor(4)] for name in _SIZED},
    **{f"torch.{name}": [_on_matrix()] for name in _RANDOM_LIKE},
    **{f"Tensor.{name}": [_on_matrix((2, 2))] for name in ("new_zeros", "new_ones", "new_empty")},
    "Tensor.new_full": [_on_matrix((2, 2), 1), _on_matrix((2, 2), 0.5)],
    "Tensor.new_tensor": [],
    "Tensor.new_empty_strided": [_on_matrix((2, 2), (2, 1))],
    "torch.full_like": [_on_matrix(1), _on_matrix(0.5)],
    "torch.randint": [_without_tensor(0, 5, (2,)), _without_tensor(5, (2,))],
    "torch.randint_like": [_on_matrix(5)],
    "torch.linspace": [_without_tensor(0, 1, 5)],
    "torch.logspace": [_without_tensor(0, 1, 5)],
    "torch.normal": [_without_tensor(0.0, 1.0, (2,))],
    "torch.empty_strided": [_without_tensor((2, 2), (2, 1))],
    "torch.empty_permuted": [_without_tensor((2, 2), (0, 1))],
    "torch.tril_indices": [_without_tensor(3, 3)],
    "torch.triu_indices": [_without_tensor(3, 3)],
    "torch.frombuffer": [],
    **{
        f"torch.signal.windows.{name}": [_without_tensor(5)]
        for name in "bartlett blackman cosine hamming hann kaiser nuttall".split()
    },
    **{f"torch.signal.windows.{name}": [_without_tensor(5)] for name in ("exponential", "gaussian")},
    "torch.signal.windows.general_cosine": [_without_tensor(5, a=[0.5, 0.5])],
    "torch.signal.windows.general_hamming": [_without_tensor(5)],
    **{
        f"{prefix}.{name}": [_on_matrix(2), _on_matrix(3)]
        for prefix in ("torch", "Tensor")
        for name in ("chunk", "tensor_split")
    },
    **{
        f"{prefix}.{name}": [_on_matrix(1), _on_matrix(2)]
        for prefix in ("torch", "Tensor")
        for name in ("split", "unsafe_split")
    },
    **{f"{prefix}.unsafe_chunk": [_on_matrix(2), _on_matrix(3)] for prefix in ("torch", "Tensor")},
    **{
        f"{prefix}.{name}": [_on_matrix((1, 2)), _on_matrix((1, 1, 1))]
        for prefix in ("torch", "Tensor")
        for name in ("split_with_sizes", "split_with_sizes_copy")
    },
    **{
        f"{prefix}.{name}": [_on_matrix(), lambda make: call(make.tensor(2))]
        for prefix in ("torch", "Tensor")
        for name in ("unbind", "unbind_copy")
    },
    **{
        f"{prefix}.{name}": [_on_matrix(3), _on_matrix(1)]
        for prefix in ("torch", "Tensor")
        for name in ("hsplit", "vsplit")
    },
    **{
        f"{prefix}.dsplit": [lambda make: call(make.tensor(3, 3, 3), 3), lambda make: call(make.tensor(3, 3, 3), 1)]
        for prefix in ("torch", "Tensor")
    },
    **{
        f"torch.{name}": [lambda make: call(make.tensor(2), make.tensor(3)), lambda make: call(make.tensor(2))]
        for name in ("meshgrid",)
    },
    "torch.gradient": [_on_matrix(), lambda make: call(make.tensor(4))],
    "torch.broadcast_tensors": [lambda make: call(make.tensor(2), make.tensor(2)), lambda make: call(make.tensor(2))],
    **{
        f"{prefix}.{name}": [
            lambda make: call(make.tensor(3), make.tensor(3)),
            lambda make: call(make.tensor(3), torch.ones(3)),
            lambda make: call(make.tensor(3), 2),
            lambda make: call(make.tensor(3), 2.5),
        ]
        for prefix in ("torch", "Tensor")
        for name in ("div", "divide", "true_divide")
    },
    **{
        f"{prefix}.bincount": [lambda make: call(make.tensor(3)), lambda make: call(make.index(3))]
        for prefix in ("torch", "Tensor")
    },
    "torch.bucketize": [lambda make: call(make.tensor(3), make.tensor(2))],
    "torch.searchsorted": [lambda make: call(make.tensor(3), make.tensor(2))],
    **{
        f"{prefix}.matmul": [lambda make: call(make.tensor(3, 3), make.tensor(3, 3))]
        for prefix in ("torch", "Tensor", "torch.linalg")
    },
    **{
        f"{prefix}.stft": [
            lambda make: call(make.tensor(64), 16, return_complex=True, window=torch.ones(16).to(make.dtype))
        ]
        for prefix in ("torch", "Tensor")
    },
    **{
        f"{prefix}.istft": [
            lambda make: call(make.tensor(9, 20), 16, window=torch.ones(16, dtype=make.dtype.to_real()))
        ]
        for prefix in ("torch", "Tensor")
    },
    "torch.unravel_index": [
        lambda make: call(make.index(2), (2, 2)),
        lambda make: call(make.tensor(2), (2, 2)),
        lambda make: call(make.tensor(2), (2, 2, 2)),
    ],
    **{f"Tensor.{name}": [_on_matrix()] for name in _METADATA_READS},
    **{
        f"torch.{name}": [_on_matrix()]
        for name in "detach detach_ detach_copy numel is_complex is_conj is_floating_point".split()
    },
    **{
        f"torch.{name}": [_on_matrix()]
        for name in "is_inference is_neg is_signed is_storage is_tensor get_device poisson typename".split()
    },
    **{f"torch.{name}": [_on_matrix()] for name in "nuclear_norm".split()},
    **{f"torch.{name}": [_without_tensor()] for name in _FLAGS},
    **{
        f"torch.{name}": [_on_matrix(0.5, True)]
        for name in "dropout dropout_ alpha_dropout alpha_dropout_ feature_dropout_".split()
    },
    **{f"torch.{name}": [_on_matrix(0.5, True)] for name in ("feature_alpha_dropout", "feature_alpha_dropout_")},
    **{
        f"{prefix}.{name}": [_on_matrix()]
        for prefix in ("torch", "Tensor")
        for name in ("atleast_1d", "atleast_2d", "atleast_3d")
    },
    **{f"{prefix}.lu": [_on_matrix()] for prefix in ("torch", "Tensor")},
    "torch.adaptive_max_pool1d": [_pool(1)],
    **{f"torch.max_pool{count}d": [_pool(count)] for count in (1, 2, 3)},
    "torch.batch_norm": [
        lambda make: call(make.tensor(2, 3), *[make.tensor(3) for _ in range(4)], False, 0.1, 1e-5, False),
    ],
    "torch.instance_norm": [
        lambda make: call(make.tensor(2, 3, 4), *[make.tensor(3) for _ in range(4)], True, 0.1, 1e-5, False),
    ],
    "torch.convolution": [
        lambda make: call(make.tensor(1, 2, 5), make.tensor(3, 2, 3), None, (1,), (0,), (1,), False, (0,), 1),
    ],
    "torch.einsum": [lambda make: call("ij,jk->ik", make.tensor(3, 3), make.tensor(3, 3))],
    "torch.embedding_bag": [lambda make: call(make.tensor(4, 2), make.index(3), make.index(1))],
    "torch.nn.functional.embedding": [lambda make: call(make.index(3), make.tensor(4, 2))],
    "torch.nn.functional.embedding_bag": [lambda make: call(make.index(2, 3), make.tensor(4, 2))],
    "torch.nn.functional.ctc_loss": [
        lambda make: call(
            make.tensor(5, 1, 4), torch.ones(1, 2, dtype=torch.int64), torch.tensor([5]), torch.tensor([2])
        ),
    ],
    "torch.ctc_loss": [
        lambda make: call(
            make.tensor(5, 1, 4), torch.ones(1, 2, dtype=torch.int64), torch.tensor([5]), torch.tensor([2])
        ),
    ],
    "torch.cosine_embedding_loss": [lambda make: call(make.tensor(3, 4), make.tensor(3, 4), make.tensor(3))],
    "torch.margin_ranking_loss": [lambda make: call(make.tensor(3), make.tensor(3), make.tensor(3))],
    "torch.kl_div": [lambda make: call(make.tensor(3), make.tensor(3))],
    "torch.poisson_nll_loss": [lambda make: call(make.tensor(3), make.tensor(3), True, False, 1e-8, 1)],
    "torch.pca_lowrank": [_on_matrix()],
    "torch.svd_lowrank": [_on_matrix()],
    "torch.polygamma": [lambda make: call(1, make.tensor(3))],
    "torch.special.polygamma": [lambda make: call(1, make.tensor(3))],
    **{
        f"{prefix}.slice_scatter": [lambda make: call(make.tensor(3), make.tensor(3))] for prefix in ("torch", "Tensor")
    },
    "torch.nn.functional.one_hot": [lambda make: call(make.index(3)), lambda make: call(make.index(3), 4)],
    "torch.fake_quantize_per_tensor_affine": [_on_matrix(0.1, 0, 0, 255)],
    "torch.view_as_complex_copy": [lambda make: call(make.tensor(3, 2))],
    "torch.view_as_real_copy": [_on_matrix()],
    **{f"Tensor.{name}": [_on_sparse] for name in ("indices", "values", "coalesce", "is_coalesced")},
    **{f"{prefix}.index_put": [_index_put] for prefix in ("torch", "Tensor")},
    **{f"{prefix}.index_put_": [_index_put] for prefix in ("torch", "Tensor")},
    **{
        f"{prefix}.repeat_interleave": [
            _on_matrix(2),
            lambda make: call(make.tensor(3), torch.ones(3, dtype=torch.int64)),
        ]
        for prefix in ("torch", "Tensor")
    },
    **{f"torch.fft.{name}": [_without_tensor(4)] for name in ("fftfreq", "rfftfreq")},
    **{
        f"torch.nn.init.{name}": [_on_matrix()]
        for name in """
        kaiming_normal_ kaiming_uniform_ orthogonal_ trunc_normal_ xavier_normal_ xavier_uniform_ normal_ uniform_
        """.split()
    },
    **{f"torch.nn.init.{name}": [_on_matrix()] for name in "zeros_ ones_ eye_".split()},
    "torch.nn.init.constant_": [_on_matrix(0.5)],
    "torch.nn.init.sparse_": [_on_matrix(0.5)],
    "torch.nn.init.dirac_": [lambda make: call(make.tensor(3, 3, 3))],
    "torch.nn.init.calculate_gain": [_without_tensor("relu")],
    "torch.nn.functional.affine_grid": [lambda make: call(make.tensor(1, 2, 3), [1, 1, 4, 4])],
    "torch.affine_grid_generator": [lambda make: call(make.tensor(1, 2, 3), [1, 1, 4, 4], False)],
    "torch.grid_sampler": [lambda make: call(make.tensor(1, 1, 4, 4), make.tensor(1, 4, 4, 2), 0, 0, False)],
    "torch.conv_tbc": [lambda make: call(make.tensor(5, 2, 3), make.tensor(2, 3, 4), make.tensor(4))],
    "torch.nn.functional.conv_tbc": [lambda make: call(make.tensor(5, 2, 3), make.tensor(2, 3, 4), make.tensor(4))],
    "torch.nn.functional.dropout1d": [lambda make: call(make.tensor(1, 2, 6))],
    "torch.nn.functional.fold": [lambda make: call(make.tensor(1, 4, 9), (4, 4), (2, 2))],
    "torch.nn.functional.gumbel_softmax": [_on_matrix()],
    "torch.nn.functional.upsample": [lambda make: call(make.tensor(1, 2, 4, 4), scale_factor=2)],
    "torch.nn.functional.native_channel_shuffle": [lambda make: call(make.tensor(1, 4, 4, 4), 2)],
    "torch.native_channel_shuffle": [lambda make: call(make.tensor(1, 4, 4, 4), 2)],
    **{f"torch.nn.functional.lp_pool{count}d": [_norm_pool(count)] for count in (1, 2, 3)},
    **{f"torch.nn.functional.max_pool{count}d": [_pool(count)] for count in (1, 2, 3)},
    **{f"torch.nn.functional.adaptive_max_pool{count}d": [_pool(count)] for count in (1, 2, 3)},
    **{f"torch.nn.functional.fractional_max_pool{count}d": [_fractional_pool(count)] for count in (2, 3)},
    **{f"torch.nn.functional.max_pool{count}d_with_indices": [_pool(count)] for count in (1, 2, 3)},
    **{f"torch.nn.functional.adaptive_max_pool{count}d_with_indices": [_pool(count)] for count in (1, 2, 3)},
    **{f"torch.nn.functional.fractional_max_pool{count}d_with_indices": [_fractional_pool(count)] for count in (2, 3)},
    "torch.max_pool1d_with_indices": [_pool(1)],
    "torch.binomial": [_on_matrix(torch.ones(3, 3))],
    "torch.can_cast": [_without_tensor(torch.float32, torch.float64)],
    "torch.promote_types": [_without_tensor(torch.float32, torch.float64)],
    "torch.result_type": [lambda make: call(make.tensor(2), make.tensor(2))],
    "torch.is_same_size": [lambda make: call(make.tensor(2), make.tensor(2))],
    "Tensor.is_same_size": [lambda make: call(make.tensor(2), make.tensor(2))],
    "Tensor.is_set_to": [lambda make: call(make.tensor(2), make.tensor(2))],
    "torch.is_nonzero": [lambda make: call(make.tensor(1))],
    "Tensor.is_nonzero": [lambda make: call(make.tensor(1))],
    "torch.chain_matmul": [lambda make: call(make.tensor(2, 3), make.tensor(3, 2))],
    "torch.feature_dropout": [_on_matrix(0.5, True)],
    "torch.native_dropout": [_on_matrix(0.5, True)],
    "torch.norm_except_dim": [_on_matrix()],
    "torch.frobenius_norm": [_on_matrix(0)],
    "torch.lobpcg": [lambda make: call(torch.diag(torch.arange(1.0, 10.0)).to(make.dtype), k=1)],
    "torch.gru": [_rnn(3, 1)],
    "torch.lstm": [_rnn(4, 2)],
    "torch.rnn_tanh": [_rnn(1, 1)],
    "torch.rnn_relu": [_rnn(1, 1)],
    "torch.gru_cell": [_rnn_cell(3, 1)],
    "torch.lstm_cell": [_rnn_cell(4, 2)],
    "torch.rnn_tanh_cell": [_rnn_cell(1, 1)],
    "torch.rnn_relu_cell": [_rnn_cell(1, 1)],
    "torch.range": [_without_tensor(0, 3)],
    "torch.select_copy": [_on_matrix(0, 0)],
    "torch.slice_copy": [_on_matrix(0, 0)],
    "torch.split_copy": [_on_matrix(2), _on_matrix(1)],
    "torch.unsafe_split_with_sizes": [_on_matrix([1, 2]), _on_matrix([1, 1, 1])],
    "Tensor.unsafe_split_with_sizes": [_on_matrix([1, 2]), _on_matrix([1, 1, 1])],
    "torch.segment_reduce": [lambda make: call(make.tensor(3), "max", lengths=torch.tensor([2, 1]))],
    "Tensor.copy_": [_on_matrix(torch.ones(3, 3)), _on_matrix(torch.ones(3, 3, dtype=torch.int64))],
    "Tensor.fill_diagonal_": [_on_matrix(1)],
    "Tensor.map_": [lambda make: call(make.tensor(2), make.tensor(2), lambda left, right: left)],
    "Tensor.apply_": [_on_matrix(lambda item: item)],
    "Tensor.as_subclass": [_on_matrix(torch.Tensor)],
    "Tensor.type_as": [_on_matrix(torch.ones(2)), _on_matrix(torch.ones(2, dtype=torch.int64))],
    "Tensor.register_hook": [lambda make: call(torch.ones(2, requires_grad=True), lambda gradient: gradient)],
    "Tensor.backward": [lambda make: call(torch.ones(2, requires_grad=True).sum())],
    # One name, several jobs: these calls fix what the plain call returns; VARIANTS holds the others.
    **{
        f"{prefix}.{name}": [_on_matrix()]
        for prefix in ("torch", "Tensor")
        for name in "max min median nanmedian".split()
    },
    **{
        f"{prefix}.{name}": [_on_matrix()]
        for prefix in ("torch", "Tensor")
        for name in "unique unique_consecutive".split()
    },
    **{f"{prefix}.nonzero": [_on_matrix()] for prefix in ("torch", "Tensor")},
    "torch.nn.functional.multi_head_attention_forward": [],
}

# What a keyword changes about the result, with calls that show it. dim and other may also stand after the input.
VARIANTS: dict[str, dict[str, list[Example]]] = {
    **{
        f"{prefix}.{name}": {
            "dim": [_on_matrix(dim=0), _on_matrix(0)],
            **(
                {"other": [_pair(), _on_matrix(torch.ones(3, 3)), _on_matrix(torch.ones(3, 3, dtype=torch.int64))]}
                if name in ("max", "min")
                else {}
            ),
        }
        for prefix in ("torch", "Tensor")
        for name in ("max", "min", "median", "nanmedian")
    },
    **{
        f"{prefix}.{name}": {
            "return_inverse": [_on_matrix(return_inverse=True)],
            "return_counts": [_on_matrix(return_counts=True)],
        }
        for prefix in ("torch", "Tensor")
        for name in ("unique", "unique_consecutive")
    },
    **{
        f"{prefix}.{name}": {"rounding_mode": [_pair(rounding_mode="floor"), _on_vector(2.5, rounding_mode="floor")]}
        for prefix in ("torch", "Tensor")
        for name in ("div", "divide")
    },
    **{
        f"{prefix}.nonzero": {"as_tuple": [_on_matrix(as_tuple=True), _on_vector(as_tuple=True)]}
        for prefix in ("torch", "Tensor")
    },
    **{
        f"{prefix}.bincount": {
            "weights": [lambda make: call(torch.zeros(3, dtype=torch.int64), weights=make.tensor(3))]
        }
        for prefix in ("torch", "Tensor")
    },
    **{f"torch.{name}": {"out_int32": [_pair(out_int32=True)]} for name in ("bucketize", "searchsorted")},
    **{
        f"torch.nn.functional.{kind}max_pool{dimensions}d": {"return_indices": [_pool_with_indices(kind, dimensions)]}
        for kind in ("", "adaptive_", "fractional_")
        for dimensions in (1, 2, 3)
        if (kind, dimensions) != ("fractional_", 1)
    },
}
