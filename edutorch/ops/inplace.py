"""In-place variants as functions: `torch.exp_(x)` is `x.exp_()`."""

from __future__ import annotations

from ..tensor.tensor import Tensor

NAMES = """
abs acos acosh addmv arccos arccosh arcsin arcsinh arctan arctanh as_strided asin asinh
atan atanh ceil clamp clamp_max clamp_min clip conj_physical cos cosh deg2rad erf erfc
exp exp2 expm1 fix floor frac gcd i0 lcm ldexp log log10 log1p log2 logit nan_to_num neg
negative rad2deg reciprocal round rsqrt sigmoid sin sinc sinh sqrt square tan tanh trunc
xlogy
"""

__all__ = [f"{name}_" for name in NAMES.split()]

# Aliases of in-place methods: `x.multiply_` is `x.mul_`.
for _plain, _alias in (("mul", "multiply"), ("sub", "subtract"), ("neg", "negative")):
    setattr(Tensor, f"{_alias}_", getattr(Tensor, f"{_plain}_"))

globals().update((name, getattr(Tensor, name)) for name in __all__)
