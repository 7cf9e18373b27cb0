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
# Layers of torch.nn, by the last part of their name, whose call runs in lower precision. Bilinear runs in the widest.
LOWER_PRECISION_LAYERS = frozenset(
    """
    Linear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyLinear LazyConv1d LazyConv2d
    LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d MultiheadAttention PReLU RNN RNNCell LSTM
    """.split()
)

# Contexts of training libraries that run what is inside in the precision that the library was told.
PRECISION_CONTEXTS = frozenset(
    "forward_context train_step_context val_step_context compute_loss_context_manager".split()
)
# Methods of libraries that decorate a function and switch autocast off inside it.
ISLAND_DECORATORS = frozenset(("force_fp32",))
# Statements that switch autocast for all that follows; the value is the position of the flag.
SWITCHES = {
    "set_autocast_enabled": -1,
    "set_autocast_cpu_enabled": 0,
    "set_autocast_gpu_enabled": 0,
}
# Functions of torch that ask whether, or how, autocast is on: a test of them decides for itself.
ASKS_AUTOCAST = frozenset(
    """
    is_autocast_enabled is_autocast_cpu_enabled is_autocast_gpu_enabled is_autocast_available get_autocast_dtype
    get_autocast_gpu_dtype get_autocast_cpu_dtype is_autocast_cache_enabled
    """.split()
)
# What runs the backward pass: a method of a loss or of a training library, and torch.autograd.backward.
BACKWARD_CALLS = frozenset(("backward", "manual_backward"))

# What keeps the dtype of its floating input on every device, in a region and outside of one: functions, methods and, as
# classes of torch.nn, layers. On the CPU the normalising ones and softmax keep it as well.
KEEPS_DTYPE = frozenset(
    """
    relu relu_ relu6 leaky_relu elu gelu silu mish hardswish hardtanh sigmoid tanh dropout dropout1d dropout2d dropout3d
    alpha_dropout feature_dropout identity flatten unflatten reshape contiguous clone detach chunk split unbind squeeze
    unsqueeze repeat repeat_interleave flip roll pad max_pool1d max_pool2d batch_norm instance_norm mean amax amin
    permute transpose view narrow index_select masked_fill clamp neg abs rearrange tile sigmoid_ tanh_
    rot90 expand adaptive_avg_pool1d adaptive_avg_pool2d avg_pool1d avg_pool2d pixel_shuffle pixel_unshuffle glu
    """.split()
)
KEEPS_DTYPE_ON_CPU = frozenset("softmax log_softmax layer_norm group_norm rms_norm sum".split())
LAYERS_THAT_KEEP_DTYPE = frozenset(
    """
    ReLU ReLU6 LeakyReLU ELU GELU SiLU Mish Hardswish Hardtanh Sigmoid Tanh Dropout Dropout1d Dropout2d Dropout3d
    AlphaDropout Identity Flatten Unflatten MaxPool1d MaxPool2d BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm
    InstanceNorm1d InstanceNorm2d AdaptiveAvgPool1d AdaptiveAvgPool2d AvgPool1d AvgPool2d PixelShuffle PixelUnshuffle
    GLU
    """.split()
)
LAYERS_THAT_KEEP_DTYPE_ON_CPU = frozenset("Softmax LogSoftmax LayerNorm GroupNorm RMSNorm".split())
# Layers whose weights must have the dtype of their input.
STRICT_LAYERS = LOWER_PRECISION_LAYERS | frozenset("LSTMCell GRU GRUCell Bilinear".split())
