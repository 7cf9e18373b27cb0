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
# Where a network keeps the options that it was made with.
SETTINGS = frozenset("config cfg conf hparams hyperparams args opt options settings".split())
