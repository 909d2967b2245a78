"""Names of functions, grouped by their rule for nested tensors."""

from __future__ import annotations

__all__ = [
    "ALIASES", "BINARY", "COMPARISONS", "LIKE_FUNCTIONS", "NOT_IN_PLACE", "OPERATORS",
    "QUERIES", "REDUCTIONS", "STRIDED_BINARY", "STRIDED_COMPARISONS",
    "STRIDED_NOT_IN_PLACE", "STRIDED_UNARY", "STRUCTURE_PRESERVING", "UNARY",
]  # fmt: skip

STRIDED_UNARY = frozenset([
    "abs", "cos", "neg", "sgn", "sin", "sqrt", "tanh", "relu", "isnan", "isinf",
    "isposinf", "isneginf", "logical_not", "positive", "silu", "gelu", "masked_fill",
    "fill", "zero", "conj", "conj_physical", "isreal", "resolve_conj", "resolve_neg",
    "softsign", "tanhshrink",
])  # fmt: skip
UNARY = STRIDED_UNARY | frozenset([
    "acos", "asin", "atan", "ceil", "cosh", "erf", "erfc", "exp", "exp2", "expm1",
    "floor", "frac", "lgamma", "log", "log10", "log1p", "log2", "logit", "reciprocal",
    "round", "rsqrt", "sigmoid", "sign", "sinh", "square", "tan", "trunc", "digamma",
    "erfinv", "nan_to_num", "isfinite", "signbit", "elu", "selu", "celu", "softplus",
    "leaky_relu", "mish", "hardtanh", "relu6", "clamp", "clip", "clamp_min",
    "clamp_max", "bernoulli", "dropout", "acosh", "angle", "asinh", "atanh", "deg2rad",
    "hardshrink", "hardsigmoid", "i0", "mvlgamma", "polygamma", "rad2deg", "sinc",
    "softshrink",
])  # fmt: skip
STRIDED_BINARY = frozenset([
    "add", "sub", "mul", "div", "gt", "ge", "lt", "le", "eq", "ne", "__radd__", "copy",
])  # fmt: skip
BINARY = STRIDED_BINARY | frozenset([
    "pow", "remainder", "fmod", "maximum", "minimum", "fmax", "fmin", "atan2", "where",
    "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or",
    "bitwise_xor", "lerp", "hypot", "logaddexp", "rsub", "__rsub__", "__rpow__",
    "__rtruediv__", "xlogy", "logaddexp2", "copysign", "nextafter", "float_power",
    "heaviside", "isclose", "ldexp",
])  # fmt: skip
COMPARISONS = frozenset(["gt", "ge", "lt", "le", "eq", "ne"])
NOT_IN_PLACE = COMPARISONS | {
    "abs",
    "bernoulli",
    "copysign",
    "heaviside",
    "masked_fill",
}
STRIDED_NOT_IN_PLACE = COMPARISONS | {
    "conj_physical", "cos", "div", "masked_fill", "sin", "sqrt", "sub",
}  # fmt: skip
# With numbers and with tensors.
STRIDED_COMPARISONS = {"Scalar": ("eq", "ge", "gt"), "Tensor": ("eq",)}
# Other names of the same functions.
ALIASES = {
    "absolute": "abs", "arccos": "acos", "arctan2": "atan2", "divide": "div",
    "fix": "trunc", "greater": "gt", "greater_equal": "ge", "less": "lt",
    "less_equal": "le", "multiply": "mul", "negative": "neg", "not_equal": "ne",
    "subtract": "sub", "true_divide": "div",
}  # fmt: skip
REDUCTIONS = (
    "sum", "mean", "amax", "amin", "prod", "max", "min", "any", "all", "argmax",
    "argmin",
)  # fmt: skip
STRUCTURE_PRESERVING = frozenset([
    "clone", "detach", "contiguous", "to", "double", "float", "half", "bfloat16",
    "long", "int", "short", "char", "bool", "cpu", "type", "data",
])  # fmt: skip
LIKE_FUNCTIONS = frozenset([
    "zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like",
])  # fmt: skip
QUERIES = frozenset([
    "nelement", "element_size", "data_ptr", "get_device", "is_floating_point",
    "is_complex", "register_hook", "requires_grad_", "retain_grad", "storage_offset",
    "register_post_accumulate_grad_hook", "is_signed", "is_shared", "item",
    "__format__", "__bool__", "new_tensor",
])  # fmt: skip
OPERATORS = {
    "__abs__": "abs", "__eq__": "eq", "__pow__": "pow", "__mod__": "remainder",
    "__and__": "bitwise_and", "__or__": "bitwise_or",
    "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_", "__itruediv__": "div_",
    "_matrix_transpose": "_matrix_transpose", "_reverse_dims": "permute",
    "__pos__": "positive",
}  # fmt: skip
