"""`functorch.einops`: dimensions rearranged by a pattern."""

from ..func.einops import rearrange

__all__ = ["rearrange"]
