"""`functorch.einops`: rearranges dimensions by a pattern."""

from ..func.einops import rearrange

__all__ = ["rearrange"]
