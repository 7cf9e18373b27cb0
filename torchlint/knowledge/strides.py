"""How operations of torch lay out their results in memory, as seen with torch 2.13 on CPU tensors of every order."""

from __future__ import annotations

# What changes the order of dimensions, or repeats them, without moving memory.
PERMUTERS = frozenset(
    """
    transpose transpose_ permute t t_ T mT H mH adjoint swapaxes swapdims movedim moveaxis expand expand_as broadcast_to
    einsum rearrange unfold
    """.split()
)
# Methods and functions of one tensor (or, by broadcasting, of several) whose result follows the order of the operand.
ELEMENTWISE = frozenset(
    """
    abs acos add addcdiv addcmul angle asin atan atan2 bitwise_and bitwise_not bitwise_or bitwise_xor
    bfloat16 bool byte ceil celu clamp clamp_max clamp_min clip clone copysign cos cosh cpu cuda deg2rad div divide
    double dropout elu eq erf erfc erfinv exp exp2 expm1 feature_dropout flip fliplr flipud float floor floor_divide
    fmod frac ge gelu greater greater_equal gt half hardshrink hardsigmoid hardswish hardtanh int isclose isfinite
    isinf isnan le leaky_relu lerp less less_equal log log10 log1p log2 logical_and logical_not logical_or
    logical_xor logit logsigmoid long lt maximum minimum mish mul multiply nan_to_num ne neg negative normalize
    not_equal pow prelu rad2deg reciprocal relu relu6 remainder round rsqrt selu sgn short sigmoid sign silu sin
    sinc sinh softplus softshrink softsign sqrt square sub subtract tan tanh tanhshrink threshold to trunc
    true_divide type type_as where xlogy zeros_like ones_like empty_like full_like rand_like randn_like randint_like
    """.split()
)
# Results of another shape in plain order, whatever goes in: dimensions are counted where that is certain.
CONTIGUOUS = frozenset(
    """
    contiguous softmax log_softmax softmin cumsum cumprod masked_fill tril triu scatter gather take_along_dim
    """.split()
)
# Views that change no order and no number of dimensions.
SAME = frozenset("detach data requires_grad_ alias view_as_real refine_names pin_memory share_memory_".split())
# Layers and functions that answer in channels-last where they are given channels-last, and else in plain order.
KEEPS_CHANNELS_LAST = frozenset(
    """
    Conv2d Conv3d ConvTranspose2d ConvTranspose3d BatchNorm2d BatchNorm3d SyncBatchNorm GroupNorm MaxPool2d MaxPool3d
    AvgPool2d AvgPool3d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool2d AdaptiveMaxPool3d Upsample
    UpsamplingNearest2d UpsamplingBilinear2d ZeroPad2d ReflectionPad2d ReplicationPad2d ConstantPad2d PixelShuffle
    conv2d conv3d conv_transpose2d conv_transpose3d batch_norm group_norm max_pool2d avg_pool2d adaptive_avg_pool2d
    adaptive_max_pool2d interpolate upsample pad pixel_shuffle
    """.split()
)
# Layers that work on each element.
ELEMENTWISE_LAYERS = frozenset(
    """
    ReLU ReLU6 LeakyReLU PReLU RReLU ELU SELU CELU GELU SiLU Mish Sigmoid Tanh Softplus Softsign Hardtanh Hardswish
    Hardsigmoid LogSigmoid Threshold Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout Identity
    """.split()
)
# Layers and functions with a result in plain order, of as many dimensions as their input.
CONTIGUOUS_LAYERS = frozenset(
    """
    Linear LayerNorm RMSNorm Conv1d ConvTranspose1d BatchNorm1d MaxPool1d InstanceNorm1d InstanceNorm2d InstanceNorm3d
    Softmax LogSoftmax linear layer_norm rms_norm conv1d conv_transpose1d max_pool1d instance_norm
    """.split()
)
DIMENSIONS = {"1d": 3, "2d": 4, "3d": 5}
RECURRENT = frozenset("LSTM GRU RNN".split())
