"""Names of functions, grouped by their rule for nested tensors."""

from __future__ import annotations

__all__ = [
    "BINARY", "LIKE_FUNCTIONS", "OPERATORS", "QUERIES", "REDUCTIONS",
    "STRIDED_BINARY", "STRIDED_UNARY", "STRUCTURE_PRESERVING", "UNARY",
]  # fmt: skip

STRIDED_UNARY = frozenset([
    "abs", "cos", "neg", "sgn", "sin", "sqrt", "tanh", "relu", "isnan", "isinf",
    "isposinf", "isneginf", "logical_not", "positive", "silu", "gelu", "masked_fill",
    "fill", "zero",
])  # fmt: skip
UNARY = STRIDED_UNARY | frozenset([
    "acos", "asin", "atan", "ceil", "cosh", "erf", "erfc", "exp", "exp2", "expm1",
    "floor", "frac", "lgamma", "log", "log10", "log1p", "log2", "logit", "reciprocal",
    "round", "rsqrt", "sigmoid", "sign", "sinh", "square", "tan", "trunc", "digamma",
    "erfinv", "nan_to_num", "isfinite", "signbit", "elu", "selu", "celu", "softplus",
    "leaky_relu", "mish", "hardtanh", "relu6", "clamp", "clip", "clamp_min",
    "clamp_max", "bernoulli", "dropout",
])  # fmt: skip
STRIDED_BINARY = frozenset([
    "add", "sub", "mul", "div", "gt", "ge", "lt", "le", "eq", "ne", "__radd__",
])  # fmt: skip
BINARY = STRIDED_BINARY | frozenset([
    "pow", "remainder", "fmod", "maximum", "minimum", "fmax", "fmin", "atan2", "where",
    "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or",
    "bitwise_xor", "lerp", "addcmul", "addcdiv", "hypot", "logaddexp", "rsub",
    "__rsub__", "__rpow__", "__rtruediv__", "xlogy",
])  # fmt: skip
REDUCTIONS = (
    "sum", "mean", "amax", "amin", "prod", "max", "min", "any", "all", "argmax",
    "argmin",
)  # fmt: skip
STRUCTURE_PRESERVING = frozenset([
    "clone", "detach", "contiguous", "to", "double", "float", "half", "bfloat16",
    "long", "int", "short", "char", "bool", "cpu", "type",
])  # fmt: skip
LIKE_FUNCTIONS = frozenset([
    "zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like",
])  # fmt: skip
QUERIES = frozenset([
    "nelement", "element_size", "data_ptr", "get_device", "is_floating_point",
    "is_complex", "register_hook", "requires_grad_", "retain_grad", "storage_offset",
    "register_post_accumulate_grad_hook", "is_signed", "is_shared", "item",
    "__format__", "__bool__",
])  # fmt: skip
OPERATORS = {
    "__abs__": "abs", "__eq__": "eq", "__pow__": "pow", "__mod__": "remainder",
    "__and__": "bitwise_and", "__or__": "bitwise_or",
    "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_", "__itruediv__": "div_",
    "_matrix_transpose": "_matrix_transpose", "_reverse_dims": "permute",
    "__pos__": "positive",
}  # fmt: skip
