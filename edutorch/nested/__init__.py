"""Nested tensors: batches of tensors of different sizes, without padding.

`structure` tells how parts lie in one plain tensor, `tensor` is the class, `functions`
what functions do to it, `making` makes new ones.
"""

from .creation import (
    as_nested_tensor,
    masked_select,
    narrow,
    nested_tensor,
    nested_tensor_from_jagged,
    to_padded_tensor,
)

__all__ = [
    "as_nested_tensor", "masked_select", "narrow", "nested_tensor",
    "nested_tensor_from_jagged", "to_padded_tensor",
]  # fmt: skip
