"""Ways of computing attention: which of them may be taken."""

from ..ops.attention.choice import SDPBackend, sdpa_kernel

__all__ = ["SDPBackend", "sdpa_kernel"]
