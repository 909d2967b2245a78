"""Accepted differences of functions with all their options, each with its reason."""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"; y = F\.conv\w*\(leaf\(x\(0, (.*\n)*hs = ",
        "structure",
        "second derivatives of a convolution of no images are zeros here, and None in "
        "PyTorch",
        r"None\]\]$|^\[torch",
    ),
    Known(
        r"; y = F\.(linear|scaled_dot_product_attention)\(",
        "message",
        "a single node does all, where PyTorch has one for each view and product",
        r"^\[torch",
    ),
    Known(
        r"lay = lambda(.*\n)*.*; y = ",
        "value",
        "of gradients that cancel, roundings of the operands are left",
        cause="rounding",
    ),
)
