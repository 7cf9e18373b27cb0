"""What is a number and no tensor: results of math, attributes of layers."""

# What the functions of math return, where that is no float (Python 3.10 to 3.14).
MATH_INTEGERS = frozenset("ceil comb factorial floor gcd isqrt lcm perm trunc".split())
MATH_QUESTIONS = frozenset("isclose isfinite isinf isnan isnormal issubnormal signbit".split())
# A fraction with its exponent, or with the whole part.
MATH_PAIRS = frozenset(("frexp", "modf"))
# By their data: the product of whole numbers is one.
MATH_OPEN = frozenset(("prod", "sumprod"))

# What layers of torch keep of what they were made with, without names that others give to tensors (stride, padding).
NUMBERS_OF_LAYERS = frozenset(
    """
    in_features out_features in_channels out_channels num_features num_embeddings embedding_dim padding_idx hidden_size
    input_size num_layers kernel_size dilation eps training normalized_shape num_heads embed_dim head_dim
    """.split()
)
# What layers of torch keep as one whole number, and convolutions as a tuple of these (torch 2.13.0).
INTEGERS_OF_LAYERS = frozenset(
    """
    in_features out_features in_channels out_channels num_features num_embeddings embedding_dim hidden_size input_size
    num_layers num_heads embed_dim head_dim groups
    """.split()
)
TUPLES_OF_CONVOLUTIONS = frozenset("kernel_size stride dilation output_padding".split())
# Functions of torch that take one tensor, the first; what follows are sizes, dimensions and rates (torch 2.13.0).
OF_ONE_TENSOR = frozenset(
    """
    dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout interpolate upsample pad softmax
    log_softmax softmin gumbel_softmax normalize topk kthvalue sum mean var std norm prod cumsum cumprod logsumexp
    argmax argmin argsort sort amax amin chunk split unbind transpose swapaxes permute unsqueeze squeeze flatten
    unflatten reshape select roll flip tile diagonal diag diag_embed tril triu movedim one_hot unfold fold
    pixel_shuffle pixel_unshuffle max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d lp_pool1d
    lp_pool2d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
    adaptive_max_pool3d leaky_relu elu celu selu gelu glu hardtanh softplus threshold multinomial unique
    unique_consecutive count_nonzero nan_to_num
    """.split()
)
# Functions whose further arguments are numbers in nearly all code, though torch also takes tensors there.
OF_BOUNDS = frozenset("clamp clamp_min clamp_max clip narrow tensor_split".split())
# Keywords under which functions of torch take numbers, sizes and words, and never a tensor (torch 2.13.0).
NUMBER_KEYWORDS = frozenset(
    """
    device dtype
    size scale_factor scale_factors output_size mode align_corners antialias recompute_scale_factor dim dims dim0 dim1
    axis keepdim start_dim end_dim shifts training train inplace dropout_p is_causal eps kernel_size stride padding
    dilation groups output_padding padding_mode padding_idx padding_value ceil_mode count_include_pad num_classes
    num_samples replacement reduction ignore_index label_smoothing margin negative_slope diagonal descending largest
    sorted stable unbiased correction rounding_mode chunks sections split_size normalized_shape num_groups n_fft
    hop_length win_length center pad_mode onesided return_complex batch_first threshold delta
    """.split()
)
# Where a network keeps the options that it was made with.
SETTINGS = frozenset("config cfg conf hparams hyperparams args opt options settings".split())
