"""Attention: every place looks at all others, and takes what it finds relevant."""

from .heads import multi_head_attention_forward
from .products import scaled_dot_product_attention

__all__ = ["multi_head_attention_forward", "scaled_dot_product_attention"]
