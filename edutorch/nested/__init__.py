"""Nested tensors: batches of tensors of different sizes, without padding.

- `tensor.py`: the class. `layouts.py`: the layout of the parts in one dense tensor.
- `creation.py`: creates them. `padding.py`: converts them to padded dense tensors.
- `function_rules.py`, `function_names.py`: the rule for each function.
- `shapes.py`, `reductions.py`, `broadcasting.py`: shapes and parts; reductions; dense
  operands. `components.py`: applies a function to each part.
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
