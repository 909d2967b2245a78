"""Ways of computing attention: which of them may be taken."""

from ..ops.attention.sdpa_backends import SDPBackend, sdpa_kernel

__all__ = ["SDPBackend", "sdpa_kernel"]
