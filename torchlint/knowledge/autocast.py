"""Autocast: what opens a region, and which operations it runs in which precision (torch 2.13).

Operations go by the last part of their public name: "matmul" is torch.matmul, Tensor.matmul and the operator @. The
lists for CUDA are the ones registered in ATen/autocast_mode.h, those for the CPU were seen by running each operation in
a region. What is in no list runs in the dtype of its inputs. float64 and integer inputs are left alone everywhere.
"""

from __future__ import annotations

CONTEXT_MANAGERS = frozenset(("torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast"))
# These take (enabled, dtype) where the others take (device_type, dtype, enabled).
CUDA_CONTEXT_MANAGERS = frozenset(
    ("torch.cuda.amp.autocast", "torch.cuda.amp.autocast_mode.autocast", "torch.cpu.amp.autocast")
)

_LOWER_ON_BOTH = frozenset(
    """
    matmul __matmul__ mm bmm addmm addbmm baddbmm linear conv1d conv2d conv3d conv_tbc conv_transpose1d
    conv_transpose2d conv_transpose3d einsum chain_matmul multi_dot vecdot prelu scaled_dot_product_attention
    rnn_tanh_cell rnn_relu_cell
    """.split()
)
# Run in the region's lower precision, whatever the floating dtype of their inputs.
LOWER_PRECISION_ON = {
    "cuda": _LOWER_ON_BOTH | frozenset("mv addmv addr convolution lstm_cell gru_cell".split()),
    "cpu": _LOWER_ON_BOTH | frozenset("tensordot matrix_power affine_grid".split()),
}
# The same, where the device of the region is not known.
LOWER_PRECISION = LOWER_PRECISION_ON["cuda"] & LOWER_PRECISION_ON["cpu"]

_LOSSES_IN_FLOAT32 = frozenset(
    """
    poisson_nll_loss cosine_embedding_loss nll_loss hinge_embedding_loss kl_div l1_loss smooth_l1_loss huber_loss
    mse_loss margin_ranking_loss multilabel_margin_loss soft_margin_loss triplet_margin_loss multi_margin_loss
    binary_cross_entropy_with_logits cross_entropy
    """.split()
)
# Run in float32 and return it. On the CPU softmax, layer_norm, exp and sum are not among them: they stay in bfloat16.
FLOAT32_ON = {
    "cuda": _LOSSES_IN_FLOAT32
    | frozenset(
        """
        acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow softplus layer_norm
        native_layer_norm rms_norm group_norm cosine_similarity dist pdist cdist renorm logsumexp interpolate upsample
        prod softmax log_softmax cumprod cumsum vector_norm matrix_norm sum norm frobenius_norm nuclear_norm
        """.split()
    ),
    "cpu": _LOSSES_IN_FLOAT32
    | frozenset(
        """
        binary_cross_entropy ctc_loss grid_sample prod trace cdist max_pool3d adaptive_avg_pool3d adaptive_max_pool3d
        avg_pool3d fractional_max_pool2d fractional_max_pool3d max_unpool2d max_unpool3d quantile nanquantile stft
        polar inverse qr svd cholesky cond matrix_rank solve svdvals eigvals eigvalsh inv householder_product
        tensorinv tensorsolve eig eigh lstsq fft ifft fft2 ifft2 fftn ifftn rfft irfft rfft2 irfft2 rfftn irfftn hfft
        ihfft
        """.split()
    ),
}
# Run in the widest floating dtype of their inputs, where they would refuse a mixture outside of a region.
WIDEST_ON = {
    "cuda": frozenset(
        "addcdiv addcmul atan2 bilinear cross dot vdot grid_sample index_put tensordot scatter_add".split()
    ),
    "cpu": frozenset("stack cat index_copy".split()),
}
# Refused inside a region on CUDA: the sigmoid before it has already lost what the loss needs.
REFUSED_ON_CUDA = frozenset(("binary_cross_entropy",))

# Layers of torch.nn, by the last part of their name, whose call runs in lower precision. Bilinear runs in the widest.
LOWER_PRECISION_LAYERS = frozenset(
    """
    Linear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyLinear LazyConv1d LazyConv2d
    LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d MultiheadAttention PReLU RNN RNNCell LSTM
    """.split()
)
