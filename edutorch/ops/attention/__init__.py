"""Attention: every place looks at all others, and takes what it finds relevant."""

from .multi_head import multi_head_attention_forward
from .scaled_dot_product import scaled_dot_product_attention

__all__ = ["multi_head_attention_forward", "scaled_dot_product_attention"]
