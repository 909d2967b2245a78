"""Functions with several signatures, and PyTorch's error when none of them fits.

Its parser counts the arguments: if exactly one signature takes that many, the
error names the wrong argument; otherwise it lists the types of all.
"""

from __future__ import annotations

from typing import Any

from ..errors import python_type_name
from ..tensor.tensor import Tensor
from .signatures import Call, call_of

__all__ = ["has_counts", "invalid_combination", "overload_message"]

# How many arguments each signature takes at least and at most, `self` among them, and
# the functions that have these.
_SIGNATURES: dict[tuple[tuple[int, int], ...], str] = {
    ((2, 2), (2, 2)): (
        "bitwise_and_ bitwise_left_shift_ bitwise_or_ bitwise_right_shift_ "
        "bitwise_xor_ clamp_max_ clamp_min_ copysign_ dsplit eq_ fill fill_ "
        "float_power_ floor_divide_ fmod_ ge_ greater_ greater_equal_ gt_ hsplit le_ "
        "less_ less_equal_ lt_ multiply_ ne_ not_equal_ pow_ remainder_ true_divide_ "
        "view vsplit xlogy_"
    ),
    ((2, 3), (2, 3), (2, 3)): (
        "float_power pow special_chebyshev_polynomial_t "
        "special_chebyshev_polynomial_u special_chebyshev_polynomial_v "
        "special_chebyshev_polynomial_w special_hermite_polynomial_h "
        "special_hermite_polynomial_he special_laguerre_polynomial_l "
        "special_legendre_polynomial_p special_shifted_chebyshev_polynomial_t "
        "special_shifted_chebyshev_polynomial_u "
        "special_shifted_chebyshev_polynomial_v "
        "special_shifted_chebyshev_polynomial_w special_xlog1py special_xlogy "
        "special_zeta tensor_split xlogy"
    ),
    ((2, 3), (2, 3)): (
        "clamp_max clamp_min copysign eq fmod ge greater greater_equal gt le less "
        "less_equal lt ne not_equal rsub subtract_ view_copy"
    ),
    ((1, 3), (2, 3)): (
        "bernoulli bernoulli_ cumulative_trapezoid linalg_cond trapezoid trapz"
    ),
    ((2, 2), (2, 3), (2, 3)): (
        "bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor "
        "remainder"
    ),
    ((1, 7), (2, 8)): "eye rand rand_like randn randn_like randperm",
    ((3, 3), (3, 3)): "lerp_ masked_fill masked_fill_ moveaxis movedim",
    ((3, 9), (4, 10)): (
        "sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor "
        "sparse_csc_tensor sparse_csr_tensor"
    ),
    ((1, 2), (1, 4), (2, 4)): "all any std_mean var_mean",
    ((2, 7), (2, 7)): "conv1d conv2d conv3d searchsorted",
    ((1, 6), (2, 7)): "bartlett_window blackman_window hann_window",
    ((2, 2), (2, 3)): "floor_divide multiply true_divide",
    ((4, 4), (4, 4)): "index_fill index_fill_ narrow",
    ((3, 6), (4, 7)): "addmm baddbmm",
    ((1, 3), (2, 5)): "argsort mean",
    ((2, 3), (3, 4)): "bmm mm",
    ((1, 4), (1, 4)): "clamp clip",
    ((1, 3), (1, 3)): "clamp_ clip_",
    ((2, 5), (2, 5), (2, 5)): "histogramdd isin",
    ((1, 5), (1, 5), (2, 4), (2, 4)): "linalg_matrix_rank linalg_pinv",
    ((1, 2), (2, 3), (2, 4)): "max min",
    ((1, 1), (2, 4)): "median nanmedian",
    ((2, 6), (2, 6)): "nanquantile quantile",
    ((1, 2), (2, 5)): "prod sum",
    ((1, 1), (2, 2)): "nonzero round_",
    ((1, 1), (2, 2), (2, 2)): "squeeze squeeze_",
    ((1, 2), (1, 5), (2, 5)): "std var",
    ((1, 7), (2, 7), (2, 9)): "arange",
    ((2, 4), (2, 5)): "bucketize",
    ((1, 2), (2, 2)): "count_nonzero",
    ((4, 7), (4, 7)): "ctc_loss",
    ((2, 3), (3, 3), (3, 4)): "div",
    ((2, 2), (3, 3), (3, 3)): "div_",
    ((2, 2), (2, 3), (3, 3), (3, 4)): "divide",
    ((2, 2), (2, 2), (3, 3), (3, 3)): "divide_",
    ((3, 8), (9, 9)): "embedding_bag",
    ((1, 4), (2, 3), (2, 4), (2, 4), (3, 4), (3, 4), (3, 4)): "gradient",
    ((1, 6), (2, 7), (3, 8), (4, 9)): "hamming_window",
    ((1, 6), (2, 5)): "histogram",
    ((1, 6), (2, 7), (3, 8)): "kaiser_window",
    ((3, 4), (3, 4)): "lerp",
    ((1, 6), (3, 7)): "linalg_matrix_norm",
    ((1, 6), (2, 6)): "linalg_norm",
    ((3, 9), (3, 9), (3, 9), (3, 9)): "linspace",
    ((3, 10), (3, 10), (3, 10), (3, 10)): "logspace",
    ((1, 2), (2, 2), (2, 2), (2, 3), (2, 3)): "new",
    ((1, 4), (2, 4), (2, 4), (3, 10)): "normal",
    ((2, 8), (3, 9), (3, 9), (4, 10)): "randint",
    ((2, 8), (2, 8), (3, 9), (3, 9), (3, 9), (4, 10)): "randint_like",
    ((1, 2), (2, 3), (3, 4)): "random_",
    ((1, 2), (2, 4), (2, 4)): "repeat_interleave",
    ((2, 2), (2, 2), (2, 2), (2, 2)): "result_type",
    ((1, 2), (2, 3)): "round",
    ((4, 5), (4, 5), (5, 6), (5, 6)): "scatter",
    ((4, 4), (4, 4), (5, 5), (5, 5)): "scatter_",
    ((1, 1), (2, 2), (2, 2), (4, 5), (4, 5)): "set_",
    ((1, 4), (2, 5)): "sort",
    ((1, 5), (2, 8), (3, 9)): "sparse_coo_tensor",
    ((1, 2), (2, 3), (2, 3)): "squeeze_copy",
    ((2, 3), (2, 4)): "subtract",
    ((1, 6), (2, 5), (2, 5)): "to",
    ((1, 4), (2, 2)): "to_sparse",
    ((1, 1), (3, 3), (3, 3), (3, 3), (3, 4)): "where",
}  # fmt: skip
_TAKES = {
    name: counts for counts, names in _SIGNATURES.items() for name in names.split()
}


def overload_message(call: Call) -> str:
    """The words for a call that no signature takes; none where one is to be blamed.

    Example:
        >>> import edutorch as torch
        >>> torch.eq(1, 2)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        TypeError: eq() received an invalid combination of arguments - got (int, int)...
    """
    counts = _TAKES.get(call.name)
    if counts is None or call.frame is None:
        return ""
    placed, named = call.given()
    n = len(placed) + len(named)
    if sum(low <= n <= high for low, high in counts) == 1:
        return ""
    return _words(call, placed, named)


def invalid_combination(function: str) -> TypeError:
    """The error for arguments that are valid one by one, but not together.

    Example:
        >>> import edutorch as torch
        >>> torch.prod(torch.ones(2), keepdim=True)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        TypeError: prod() received an invalid combination of arguments...
    """
    call = call_of(function)
    if call.frame is None:
        return TypeError(f"{call.name}() {INVALID}")
    return TypeError(_words(call, *call.given()))


INVALID = "received an invalid combination of arguments"


def _words(call: Call, placed: list[Any], named: dict[str, Any]) -> str:
    """The types of the given arguments."""
    method = not call.counts_self() or call.name.endswith("_")
    shown = [_kind(value) for value in placed[method:]]
    shown += [f"{name}={_kind(value)}" for name, value in named.items()]
    return f"{call.name}() {INVALID} - got ({', '.join(shown)}), but expected one of:"


def has_counts(name: str) -> bool:
    """Whether the argument counts of a function's signatures are listed."""
    return name in _TAKES


def _kind(value: Any) -> str:
    """What the message calls the type of an argument."""
    if type(value) is Tensor:
        return "Tensor"
    kind = type(value)
    if kind.__name__ in ("dtype", "layout", "device", "memory_format"):
        return f"torch.{kind.__name__}"
    return python_type_name(value)
