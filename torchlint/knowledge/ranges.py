"""What float16 and bfloat16 can hold, and what torch does with numbers that they cannot (seen with torch 2.13)."""

from __future__ import annotations

# The greatest finite numbers.
LARGEST = {
    "float16": 65504.0,
    "bfloat16": 3.3895313892515355e38,
    "float32": 3.4028234663852886e38,
    "float64": 1.7976931348623157e308,
}
# The smallest positive normal numbers, which finfo(..).tiny and smallest_normal are, and eps.
TINY = {"float32": 1.1754943508222875e-38, "float64": 2.2250738585072014e-308}
EPS = {"float32": 1.1920928955078125e-07, "float64": 2.220446049250313e-16, "float16": 0.0009765625}
# Positive numbers up to this one round to zero in float16: half of its smallest subnormal.
LOST_IN_HALF = 2.0**-25
# Up to which whole numbers steps of one are exact.
EXACT_STEPS = {"float16": 2048, "bfloat16": 256}
# Methods that check the number they are given and raise, with the position and name of that argument.
CHECKED_FILLS = {
    "masked_fill": (1, "value"),
    "masked_fill_": (1, "value"),
    "fill_": (0, "value"),
    "index_fill": (2, "value"),
    "index_fill_": (2, "value"),
    "scatter": (2, "value"),
    "scatter_": (2, "value"),
    "fill_diagonal_": (0, "fill_value"),
    "threshold": (1, "value"),
    "threshold_": (1, "value"),
    "pad": (2, "value"),
    "constant_pad_nd": (1, "value"),
    "constant_": (0, "val"),
    "full_like": (0, "fill_value"),
    "new_full": (1, "fill_value"),
    "full": (1, "fill_value"),
}
# Calls that turn the number into an infinity without a word.
SILENT_FILLS = {"where": (1, "other"), "new_tensor": (0, "data"), "tensor": (0, "data"), "scalar_tensor": (0, "s")}
# Methods and functions that compute as an operator does, with a number as their second operand.
ARITHMETIC = {"add": "+", "sub": "-", "subtract": "-", "mul": "*", "multiply": "*"}
# Optimizers and the eps that they have by default; in half, those that round to zero divide by zero.
DEFAULT_EPS = {
    "Adam": 1e-8,
    "AdamW": 1e-8,
    "NAdam": 1e-8,
    "RAdam": 1e-8,
    "Adamax": 1e-8,
    "SparseAdam": 1e-8,
    "RMSprop": 1e-8,
    "Adagrad": 1e-10,
}
# The position of eps among their arguments.
EPS_AT = dict.fromkeys(DEFAULT_EPS, 3) | {"Adagrad": 5}
# Functions with an eps that guards a division, and its default and position.
GUARDED = {"normalize": (1e-12, 3), "cosine_similarity": (1e-8, 3)}
