"""Nested tensors: batches of tensors of different sizes, without padding.

- `tensor.py`: the class. `layouts.py`: the layout of the parts in one dense tensor.
- `creation.py`: making them. `padding.py`: as dense tensors, padded.
- `function_rules.py`, `function_names.py`: what each function does to them.
- `shapes.py`, `reductions.py`, `broadcasting.py`: other shapes and parts; reductions;
  dense operands. `components.py`: what these share.
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
