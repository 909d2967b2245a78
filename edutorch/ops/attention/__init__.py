"""Attention: multi-head and scaled dot-product.

- `scaled_dot_product.py`: the mathematics, and `scaled_dot_product_attention`.
- `multi_head.py`: several heads. `masks.py`: masks and their checks.
- `sdpa_backends.py`: `sdpa_kernel`: one fused op, or step by step.
"""

from .multi_head import multi_head_attention_forward
from .scaled_dot_product import scaled_dot_product_attention

__all__ = ["multi_head_attention_forward", "scaled_dot_product_attention"]
