"""How functions and methods of torch place what they make: what new tensors take over from their arguments."""

from __future__ import annotations

# Functions that make a tensor from numbers: their arguments are no tensors.
FACTORIES = frozenset(
    """
    arange range linspace logspace zeros ones empty full eye rand randn randint randperm tensor as_tensor from_numpy
    hann_window hamming_window blackman_window bartlett_window kaiser_window tril_indices triu_indices cartesian_prod
    Tensor FloatTensor LongTensor Size device
    """.split()
)
# Functions that take sizes, dtype and device from a tensor, and not its elements.
LIKE = frozenset("zeros_like ones_like empty_like full_like rand_like randn_like randint_like".split())
# Methods whose result has one dtype, whatever the tensor has.
FIXED_DTYPE = frozenset("float half double bfloat16 long int short bool byte char".split())
# Members of a tensor that tell its sizes.
SHAPE_MEMBERS = frozenset("shape size ndim dim numel ndimension nelement stride".split())
# Members of a tensor that turn one element into a Python number.
NUMBERS = frozenset("item tolist".split())
# Words by which a table that code computes from constants is known: a checkpoint brings the same values.
TABLES = frozenset(
    """
    arange linspace logspace eye meshgrid hann_window hamming_window blackman_window kaiser_window tril triu
    tril_indices triu_indices cartesian_prod
    """.split()
)
# Functions that make an object of integer tensors which no module moves (a BlockMask, torch 2.13.0).
MASK_OBJECTS = frozenset(
    f"torch.nn.attention.flex_attention.{name}" for name in ("create_block_mask", "create_nested_block_mask")
)
