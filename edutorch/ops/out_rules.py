"""Requirements of functions on the dtype, history and memory of `out=`.

PyTorch's functions differ here. Most take any dtype that the result can be cast to;
the others are listed by the message of their error. Functions are named as in messages
(`linalg_inv`). A name may be followed by that of an output, if there are several
(`kthvalue.values`), or by that of a variant: one of several kernels, such as that for
real numbers (`fft_ifft.real`).
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "CAST",
    "EXACT",
    "DtypeRule",
    "checks_dtype_first",
    "checks_memory_first",
    "checks_memory_next",
    "checks_operands",
    "dtype_rule",
    "gradient_refused_by",
    "keeps_history",
    "kernel_of",
    "loses_derivative",
    "names_in",
    "parsed_by",
    "refuses_overlap_first",
    "writes_over_itself",
]


class DtypeRule(NamedTuple):
    """The message of an error, and when it is raised.

    Attributes:
        message: with places for `name`, `output`, and the dtypes of the result and of
            `out`, as PyTorch names them (`Need`, `Got`) or C++ (`need`, `got`).
        exact: whether every other dtype is refused, or only those of a lower kind.
        kind: the type of the exception.
        also: names of dtypes that are accepted, whatever that of the result.
    """

    message: str
    exact: bool = True
    kind: type[Exception] = RuntimeError
    also: str = ""


CAST = DtypeRule(
    "result type {Need} can't be cast to the desired output type {Got}", exact=False
)
EXACT = DtypeRule("Expected out tensor to have dtype {need}, but got {got} instead")
FOUND = DtypeRule("Found dtype {Got} but expected {Need}")
ONE_OF_CAT = DtypeRule(
    "torch.cat(): input types can't be cast to the desired output type {Got}",
    exact=False, kind=TypeError,
)  # fmt: skip


def _safe(of: str, what: str = "{output}") -> DtypeRule:
    return DtypeRule(
        f"{of}: Expected {what} to be safely castable from {{Need}} dtype, but got "
        f"{what} with dtype {{Got}}",
        exact=False,
    )


def _fourier(name: str, kind: str) -> DtypeRule:
    # Casting refuses only complex numbers in a real tensor.
    return DtypeRule(f"{name} expects a {kind} output tensor, but got {{Got}}", False)


_SHARED_RULES: dict[DtypeRule, str] = {
    EXACT: "addmm addmv alias_copy diag aminmax argmax argmin argsort as_strided_copy "
    "avg_pool2d avg_pool3d baddbmm bmm cross cumprod cumsum diagonal_copy expand_copy "
    "gather index_add index_copy index_reduce isin linalg_cholesky linalg_cholesky_ex "
    "linalg_cross linalg_det linalg_eigh linalg_eigvalsh linalg_inv linalg_inv_ex "
    "linalg_ldl_factor linalg_ldl_factor_ex linalg_ldl_solve linalg_lu "
    "linalg_lu_factor linalg_lu_factor_ex linalg_lu_solve linalg_qr linalg_slogdet "
    "linalg_solve linalg_solve_ex slogdet linalg_svd linalg_svdvals linalg_vector_norm "
    "linear log_softmax lu_solve lu_unpack matmul max.values max.indices min.values "
    "min.indices mm msort norm permute_copy prod qr renorm scatter scatter_add "
    "scatter_reduce slice_scatter softmax sort sum split_with_sizes_copy squeeze_copy "
    "svd t_copy take_along_dim topk transpose_copy triangular_solve tril triu "
    "unbind_copy detach_copy select_copy slice_copy unfold_copy unsqueeze_copy "
    "view_as_real_copy view_copy",
    FOUND: "abs bitwise_not ceil clamp.number clamp_max.number clamp_min.number "
    "conj_physical floor frac gelu hardshrink neg round "
    "lerp.tensor sgn sign softplus softshrink trunc",
    ONE_OF_CAT: "cat column_stack dstack hstack row_stack stack vstack",
    DtypeRule("expected scalar type {Need} but found {Got}"):
        "native_batch_norm logsigmoid linalg_solve_triangular",
    DtypeRule("expected scalar_type {Need} but found {Got}"):
        "cummax cummin logcumsumexp",
    DtypeRule("result dtype {Got} does not match input dtype {Need}"): "dot vdot",
    DtypeRule(
        "Expected object of scalar type {Need} but got scalar type {Got} for argument "
        "'out'"
    ): "complex polar",
    DtypeRule("quantile() out tensor must be same dtype as the input tensor"):
        "quantile nanquantile",
    DtypeRule(
        "torch.searchsorted(): output tensor's dtype is wrong, it can only be "
        "Int(int32) or Long(int64) depending on whether out_int32 flag is True, but we "
        "got output tensor's dtype {Got} and out_int32 flag is {flag}"
    ): "bucketize searchsorted",
    DtypeRule(
        "Expected the dtype for input and out to match, but got {Need} for input's "
        "dtype "
        "and {Got} for out's dtype."
    ): "amax amin",
    DtypeRule("{name} does not support non-boolean outputs."):
        "signbit isposinf isneginf",
    DtypeRule(
        "{name} only supports bool tensor for result, got: {Got}", also="Bool"
    ): "all any",
    DtypeRule("linalg.{short} expected out tensor dtype {Need} but got: {Got}"):
        "linalg_norm linalg_matrix_norm",
    DtypeRule(
        "torch.histogram: input tensor and hist tensor should have the same dtype, but "
        "got input {need} and hist {got}"
    ): "histogram.hist histc",
    _safe("{name}", "result"): "cholesky cholesky_inverse cholesky_solve",
    _safe("linalg.{short}", "result"): "linalg_cond linalg_pinv",
    _safe("{short}", "result"): "linalg_matrix_power linalg_tensorinv "
    "linalg_tensorsolve",
    _safe("torch.linalg.{short}", "result"):
        "linalg_matrix_rank linalg_householder_product linalg_ormqr",
    _safe("torch.linalg.eigvals", "eigenvalues"): "linalg_eigvals",
    _safe("torch.linalg.{short}"):
        "linalg_eig.eigenvalues linalg_eig.eigenvectors linalg_lstsq.solution "
        "linalg_lstsq.rank linalg_lstsq.singular_values",
    _safe("torch.linalg.lstsq", "solution"): "linalg_lstsq.residuals",
    _safe("torch.geqrf"): "geqrf.a geqrf.tau",
    _fourier("{short}", "complex"): "fft_fft fft_ifft fft_rfft fft_ihfft fft_fftn "
    "fft_rfftn fft_ihfftn",
    _fourier("fftn", "complex"): "fft_ifftn fft_ifft2",
    _fourier("{short}", "floating point"): "fft_hfft fft_irfft fft_hfftn fft_irfftn",
}  # fmt: skip
_EXACT_MESSAGES = {
    "addbmm": "self and mat2 must have the same dtype, but got {Got} and {Need}",
    "mv": "addmv input tensors must have the same dtype, but got {Got}, {Need}, and "
    "{Need}",
    "frexp.mantissa": "torch.frexp() expects mantissa to have dtype {need} but got "
    "{got}",
    "frexp.exponent": "torch.frexp() expects exponent to have int dtype but got {got}",
    "kthvalue.values": "output values must be of same type as input",
    "kthvalue.indices": "output indices must be of scalar type Long",
    "where": "Expected out type to be {Need} but got {Got}",
    "heaviside": "heaviside is not yet implemented for tensors with different dtypes.",
    "heaviside.complex": "heaviside is not yet implemented for complex tensors.",
    "mode.values": "expected scalar type '{Need}' but got '{Got}' for values output",
    "mode.indices": "expected scalar type '{Need}' but got '{Got}' for indices output",
    "ormqr": "torch.ormqr: Expected input and result to have the same dtype, but input "
    "has dtype{Need} and result has dtype {Got}",
    "float_power": "the output given to float_power has dtype {Got} but the "
    "operation's result requires dtype {Need}",
    "nan_to_num": "nan_to_num: dtype of out: {Got} should be same as input: {Need}",
    "masked_select": "masked_select(): self and result must have the same scalar type",
    "index_select": "index_select(): self and result must have the same scalar type",
    "nonzero_static": "nonzero_static: Expected out tensor to have scalar type Long "
    "but got scalar type{Got}",
    "take": "take(): self and out expected to have the same dtype, but got self.dtype "
    "= {Need} and out.dtype = {Got}",
    "tensordot": "tensordot: Expected the output tensor to have dtype {Need}, but got "
    "an output tensor with dtype {Got}",
    "nonzero": "nonzero: Expected out tensor to have scalar type Long but got scalar "
    "type{Got}",
    "hash_tensor": "Expected result to be of dtype uint64, but got {Got}",
    "histogram.bin_edges": "torch.histogram: input tensor and bin_edges tensor should "
    "have the same dtype, but got input {need} and bin_edges {got} for dimension 0",
    "linalg_vecdot": "linalg.vecdot: Expected out of dtype{Need} but found {Got}",
    "linalg_multi_dot": "multi_dot(): expected out tensor to have dtype {need} but got "
    "{got}",
}
_CAST_MESSAGES = {
    "logsumexp": "logsumexp(): Expected floating point type for result tensor, but "
    "got: {Got}",
    "mean.all": "mean.dtype_out(): input types can't be cast to the desired output "
    "type {Got}",
    "ldexp": "ldexp can't be cast to the desired output type {Got}",
    "mvlgamma": "mvlgamma: result type {variant} can't be cast to the desired output "
    "type {Need}",
    "diag.vector": "diag: result type {Need} can't be cast to the desired out= type "
    "{Got}",
    **dict.fromkeys(
        ("amax.meta", "amin.meta", "mean.meta", "polygamma.meta"),
        "Attempting to cast from {result} to out tensor with dtype {out}, but this "
        "can't be cast because it is not safe!",
    ),
    **dict.fromkeys(
        ("max.all", "min.all"),
        "Expected canCast( typeMetaToScalarType(self.dtype()), "
        "typeMetaToScalarType(out.dtype())) to be true, but got false.  (Could this "
        "error message be improved?  If so, please report an enhancement request to "
        "PyTorch.)",
    ),
}  # fmt: skip
_EXACT_MESSAGES["chain_matmul"] = _EXACT_MESSAGES["linalg_multi_dot"]
_DTYPES = {
    name: rule for rule, names in _SHARED_RULES.items() for name in names.split()
}
_DTYPES |= {name: DtypeRule(text) for name, text in _EXACT_MESSAGES.items()}
_DTYPES |= {
    name: DtypeRule(words, exact=False) for name, words in _CAST_MESSAGES.items()
}
_DTYPES["abs.complex"] = _DTYPES["ldexp.fractions"] = CAST
_DTYPES["mv.resized"] = _DTYPES["linalg_matrix_power.product"] = EXACT
_DTYPES["mean.dtype"] = EXACT
_DTYPES["prod.meta"] = _DTYPES["sum.meta"] = CAST
_DTYPES |= {f"matmul.{step}": _DTYPES[step] for step in ("dot", "mv")}
_DTYPES |= {
    f"fft_{name}2": _fourier(f"{name}n", kind)
    for names, kind in (
        ("fft rfft ihfft", "complex"),
        ("hfft irfft", "floating point"),
    )
    for name in names.split()
}  # fmt: skip


def names_in(text: str) -> frozenset[str]:
    """The names in a text, between spaces."""
    return frozenset(text.split())


# These have no derivative, and write to tensors that require grad.
_WITHOUT_GRADIENT = names_in(
    "all any argmax argmin bucketize eq ge gt hash_tensor histc isin isneginf isposinf "
    "le linalg_matrix_rank logical_and logical_not logical_or logical_xor lt ne "
    "searchsorted signbit split_with_sizes_copy unbind_copy special_airy_ai "
    "special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1 "
    "special_chebyshev_polynomial_t special_chebyshev_polynomial_u "
    "special_chebyshev_polynomial_v special_chebyshev_polynomial_w "
    "special_hermite_polynomial_h special_hermite_polynomial_he "
    "special_laguerre_polynomial_l special_legendre_polynomial_p "
    "special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0 "
    "special_modified_bessel_k1 special_scaled_modified_bessel_k0 "
    "special_scaled_modified_bessel_k1 special_shifted_chebyshev_polynomial_t "
    "special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v "
    "special_shifted_chebyshev_polynomial_w special_spherical_bessel_j0"
)
# PyTorch has no rule for these: `out` may not require grad, and where an input does,
# it gets a history without a derivative.
_WITHOUT_DERIVATIVE = names_in(
    "alias_copy arange as_strided_copy detach_copy normal rand range select_copy "
    "randperm slice_copy view_as_real_copy bitwise_and bitwise_left_shift bitwise_not "
    "bitwise_or bitwise_right_shift bitwise_xor conj_physical diagonal_copy "
    "expand_copy eye floor_divide full gcd heaviside histogram lcm linalg_eigvals "
    "linalg_ldl_factor linalg_ldl_factor_ex linalg_ldl_solve linspace log_softmax "
    "logspace nonzero_static ones permute_copy randint slice_scatter softmax "
    "squeeze_copy t_copy transpose_copy unfold_copy unsqueeze_copy view_copy zeros "
    "diag fft_ifft.real fft_ihfft.real scatter.reduce"
)
# The kernel that writes into `out`, if its name differs from the function's.
_KERNELS = {
    "diag": "diagonal_copy", "diag.vector": "diag_embed", "diag.filled": "diag_embed",
    "fft_ifft.real": "conj_physical", "fft_ihfft.real": "conj_physical",
    "linalg_ldl_factor": "linalg_ldl_factor_ex",
}  # fmt: skip
# These call a function that checks the dtype before gradients are considered.
_DTYPE_FIRST = names_in(
    "argsort chain_matmul diag float_power linalg_ldl_factor linalg_matrix_power "
    "linalg_multi_dot linalg_vecdot nonzero tensordot"
) | {f"fft_{name}" for name in names_in(
    "fft fft2 fftn ifft ifft2 ifftn hfft hfft2 hfftn ihfft ihfft2 ihfftn irfft irfft2 "
    "irfftn rfft rfft2 rfftn"
)}  # fmt: skip
# Composed of differentiable steps: what they copy into `out` keeps its history.
_WITH_HISTORY = names_in(
    "linalg_cond linalg_matrix_norm linalg_norm linalg_tensorinv linalg_tensorsolve "
    "nanquantile quantile special_ndtr tensordot linalg_matrix_power.copy "
    "linalg_pinv.composite"
)
# The step that raises the error, if its name differs from the function's.
_RAISED_BY = {
    "cross": "linalg_cross", "lu_solve": "linalg_lu_solve", "qr": "linalg_qr",
    "true_divide": "div", "normalize": "div", "outer": "mul", "kron": "mul",
    "diff": "sub",
    "float_power": "pow", "square": "pow", "logsigmoid": "log_sigmoid_forward",
    "msort": "sort", "take_along_dim": "gather", "nanmean": "nansum",
    "linalg_cholesky": "linalg_cholesky_ex", "linalg_vecdot": "sum",
    "linalg_vecdot.vectors": "vdot",
    "linalg_eigvalsh": "_linalg_eigh", "linalg_multi_dot": "mm", "svd": "_linalg_svd",
    "linalg_lu_factor": "linalg_lu_factor_ex", "linalg_inv": "linalg_inv_ex",
    "linalg_svdvals": "_linalg_svd",
    "linalg_solve": "_linalg_solve_ex", "linalg_matrix_power": "matmul",
    "linalg_matrix_power.inverse": "linalg_inv_ex",
    "chain_matmul": "mm", "slogdet": "_linalg_slogdet", "gammainc": "igamma",
    "gammaincc": "igammac",
    **dict.fromkeys(names_in("column_stack dstack hstack vstack"), "cat"),
    "inner": "mul", "norm": "linalg_vector_norm",
    **{name: f"_{name}" for name in
       names_in("linalg_det linalg_eigh linalg_slogdet linalg_solve_ex linalg_svd")},
    **{f"fft_{name}": step for step, names in
       (("_fft_c2r", "hfft hfft2 hfftn irfft irfft2 irfftn"),
        ("_fft_r2c", "fft.real rfft rfft2 rfftn"),
        ("_fft_c2c", "fft fft2 fftn ifft ifft2 ifftn ihfft2 ihfftn"))
       for name in names.split()},
}  # fmt: skip
# The functions whose parser refuses `out`, if their names differ.
_PARSED_BY = {"logsigmoid": "log_sigmoid", "norm": "linalg_vector_norm"}
# They write each element once, even if several share memory.
_OVERLAP_ALLOWED = names_in(
    "all amax amin any argmax argmin bmm cummax cummin eye full hash_tensor histc "
    "linalg_matrix_rank linalg_vecdot matmul.bmm matmul.dot matmul.mv mv norm ones "
    "tril triu zeros"
)
_OVERLAP_FIRST = names_in("scatter scatter_add scatter_reduce")
_MEMORY_CHECKED_NEXT = names_in(
    "float_power heaviside index_select isneginf isposinf ldexp masked_select signbit "
    "take where"
)
# PyTorch's elementwise ops, scans and scatterings check whether they write to a part of
# what they read; most products, reductions and decompositions do not.
_WITH_OPERANDS = (
    "activations", "compare", "convert.complex_numbers", "index",
    "matmul.addmm_family", "matmul.addr", "matmul.vector_products", "pointwise", "scan",
)  # fmt: skip
_WITH_OPERANDS_TOO = names_in(
    "aminmax bernoulli inner kron linalg_solve_triangular linear max.indices "
    "max.values median min.indices min.values mode msort nanmedian normal normalize "
    "renorm sort.values topk"
)
_WITHOUT_OPERANDS = names_in(
    "cummax cummin dot logsigmoid mv mvlgamma special_ndtr vdot"
)
# Elementwise ops check this before dtype and shape; these do so afterwards.
_MEMORY_CHECKED_LATER = names_in(
    "abs.complex addbmm addmm addmv angle.complex baddbmm bucketize complex dot "
    "float_power gather heaviside "
    "index_add index_copy index_reduce index_select isin isneginf isposinf ldexp "
    "logsigmoid masked_select mv mvlgamma nonzero nonzero_static polar scatter "
    "scatter_add scatter_reduce searchsorted signbit special_ndtr take take_along_dim "
    "vdot view_as_real_copy where"
)


def dtype_rule(name: str, output: str = "", variant: str = "") -> DtypeRule:
    """The dtype that a function requires of `out`, or of one of several outputs.

    Example:
        >>> dtype_rule("linalg_inv").exact, dtype_rule("exp").exact
        (True, False)
    """
    return _DTYPES.get(f"{name}.{output or variant}") or _DTYPES.get(name, CAST)


def gradient_refused_by(name: str, out_requires_grad: bool, variant: str = "") -> str:
    """The name of the op that refuses `out=` when gradients are required, or "".

    Args:
        name: the function.
        out_requires_grad: whether `out` is a leaf that requires grad, or its view.
        variant: which of the function's kernels computes the result, if it has several.

    Example:
        >>> gradient_refused_by("outer", True), gradient_refused_by("eq", True)
        ('mul', '')
    """
    if name == "unbind_copy" and out_requires_grad:  # whatever its input requires
        return name
    if name in _WITHOUT_GRADIENT or keeps_history(name, variant):
        return ""
    if loses_derivative(name, variant):
        return f"aten::{kernel_of(name, variant)}" if out_requires_grad else ""
    return _RAISED_BY.get(f"{name}.{variant}") or _RAISED_BY.get(name, name)


def parsed_by(name: str) -> str:
    """The function that an error names where `out` is no tensor.

    Example:
        >>> parsed_by("norm"), parsed_by("exp")
        ('linalg_vector_norm', 'exp')
    """
    return _PARSED_BY.get(name, name)


def checks_dtype_first(name: str, variant: str = "") -> bool:
    """Whether a function checks the dtype of `out` before gradients."""
    return name in _DTYPE_FIRST or keeps_history(name, variant)


def kernel_of(name: str, variant: str = "") -> str:
    """PyTorch's name of the kernel that writes a function's result into `out`."""
    return _KERNELS.get(f"{name}.{variant}") or _KERNELS.get(name, name)


def loses_derivative(name: str, variant: str = "") -> bool:
    """Whether a result written into `out` has a history that ends with an error."""
    return name in _WITHOUT_DERIVATIVE or f"{name}.{variant}" in _WITHOUT_DERIVATIVE


def keeps_history(name: str, variant: str = "") -> bool:
    """Whether a result written into `out` can be differentiated."""
    return name in _WITH_HISTORY or f"{name}.{variant}" in _WITH_HISTORY


def writes_over_itself(name: str, variant: str = "") -> bool:
    """Whether `out` may overlap itself."""
    return name in _OVERLAP_ALLOWED or f"{name}.{variant}" in _OVERLAP_ALLOWED


def refuses_overlap_first(name: str) -> bool:
    """Whether an `out` whose elements share memory is refused before other checks."""
    return name in _OVERLAP_FIRST


def checks_operands(module: str, name: str, output: str = "") -> bool:
    """Whether a function of a module of `ops` refuses an `out` inside its operands."""
    if name in _WITHOUT_OPERANDS:
        return False
    if module.startswith(_WITH_OPERANDS) or name in _WITH_OPERANDS_TOO:
        return True
    return bool(output) and f"{name}.{output}" in _WITH_OPERANDS_TOO


def checks_memory_first(module: str, name: str, variant: str = "") -> bool:
    """Whether a function checks memory before dtypes and shapes.

    Example:
        >>> checks_memory_first("pointwise.exponential", "exp")
        True
        >>> checks_memory_first("index.gathering", "gather")
        False
    """
    loops = module.startswith(_WITH_OPERANDS) or name in ("inner", "normalize")
    if module.startswith("scan") and name != "diff":
        return False
    if not loops or name in _MEMORY_CHECKED_LATER:
        return False
    return not variant or f"{name}.{variant}" not in _MEMORY_CHECKED_LATER


def checks_memory_next(name: str) -> bool:
    """Whether an elementwise function checks memory after dtypes, before shapes."""
    return name in _MEMORY_CHECKED_NEXT
