"""What functions and methods of NumPy return: the dtype of their arrays. Seen with NumPy 2.4."""

from __future__ import annotations

# Functions whose result is float64 unless dtype= says otherwise.
FLOAT64 = frozenset(
    """
    linspace logspace geomspace hanning hamming blackman bartlett kaiser zeros ones empty eye identity tri interp
    loadtxt genfromtxt polyfit polyval corrcoef cov gradient trapezoid trapz nan_to_num_float
    fftfreq rfftfreq
    """.split()
)
# Of numpy.random, and of its generators.
RANDOM_FLOAT64 = frozenset(
    """
    rand randn random random_sample ranf sample uniform normal standard_normal beta dirichlet exponential gamma gumbel
    laplace logistic lognormal multivariate_normal standard_exponential standard_gamma standard_t triangular vonmises
    wald weibull chisquare f pareto power rayleigh
    """.split()
)
RANDOM_INT64 = frozenset("randint integers random_integers poisson binomial geometric multinomial".split())
GENERATORS = frozenset("default_rng RandomState Generator".split())
# Functions and methods that turn integers into float64 and keep the width of floats.
FLOATING = frozenset(
    """
    sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh arcsin arccos arctan arctan2 hypot cbrt deg2rad
    rad2deg mean average median std var percentile quantile nanmean nanstd nanvar nanmedian sinc
    radians degrees inv pinv cholesky det norm eigvalsh cond
    """.split()
)
# Functions and methods that give the dtype of their first argument, or of all in a list, again.
SAME = frozenset(
    """
    abs absolute fabs negative square sum prod cumsum cumprod max min amax amin maximum minimum clip round around rint
    floor ceil sort flip fliplr flipud roll rot90 reshape ravel flatten transpose swapaxes squeeze expand_dims tile
    repeat concatenate stack vstack hstack dstack column_stack append pad copy zeros_like ones_like empty_like diag
    tril triu broadcast_to moveaxis rollaxis take delete insert unique ascontiguousarray asfortranarray
    atleast_1d atleast_2d atleast_3d nan_to_num diff ediff1d sign trace vander matrix_power
    """.split()
)
INT64 = frozenset(
    "argmax argmin argsort searchsorted digitize count_nonzero flatnonzero nonzero argwhere bincount indices".split()
)
# Functions of two arrays that promote as the operators do.
PROMOTING = frozenset(
    """
    multiply add subtract power maximum minimum fmax fmin mod remainder fmod floor_divide outer dot matmul kron cross
    inner tensordot vdot convolve correlate
    """.split()
)
# Functions that give several arrays, of the dtype that their first argument, or all of them, have.
SEVERAL = frozenset("meshgrid split array_split hsplit vsplit dsplit broadcast_arrays".split())
# The same of functions that compute with floats.
SEVERAL_FLOATING = frozenset("svd qr eigh lstsq slogdet".split())
# Objects whose subscripts count: np.mgrid[0:4, 0:4].
GRIDS = frozenset(("numpy.mgrid", "numpy.ogrid"))
# Objects whose subscripts join arrays: np.r_[a, b].
JOINERS = frozenset(("numpy.r_", "numpy.c_"))
# Members of an array that are arrays of the same dtype.
SAME_MEMBERS = frozenset(("T", "flat", "mT"))
FROM_DATA = frozenset("array asarray asanyarray fromiter".split())
# A reduction without an axis gives a single number.
REDUCTIONS = frozenset("sum prod max min amax amin mean average median std var nanmean norm det".split())
# Modules whose functions return float64 arrays where they return arrays of floats.
FLOAT64_MODULES = ("scipy.signal.windows.", "scipy.stats.")
FLOAT64_FUNCTIONS = frozenset(
    """
    scipy.signal.get_window scipy.signal.firwin scipy.signal.gaussian scipy.signal.hann scipy.signal.hamming
    scipy.linalg.toeplitz_float scipy.linalg.orth scipy.linalg.expm scipy.linalg.sqrtm scipy.ndimage.gaussian_filter1d
    scipy.special.softmax sklearn.utils.class_weight.compute_class_weight
    sklearn.utils.class_weight.compute_sample_weight sklearn.utils.compute_class_weight
    """.split()
)

_NAMES = {
    "float": "float64", "double": "float64", "d": "float64", "f8": "float64", "<f8": "float64", "single": "float32",
    "f": "float32", "f4": "float32", "<f4": "float32", "half": "float16", "int": "int64", "int_": "int64",
    "long": "int64", "i8": "int64", "i4": "int32", "bool": "bool", "bool_": "bool", "float_": "float64",
    "uint8": "uint8", "longdouble": None, "complex": "complex128",
}  # fmt: skip
_WIDTHS = frozenset(
    "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128".split()
)


def named(name: str) -> str | None:
    """The dtype of a name: "float" of the builtins, "float32" of NumPy, "f4" as a text; None for any other."""
    last = name.rpartition(".")[2]
    return last if last in _WIDTHS else _NAMES.get(last)
