"""Selects which implementations of attention may be used."""

from ..ops.attention.sdpa_backends import SDPBackend, sdpa_kernel

__all__ = ["SDPBackend", "sdpa_kernel"]
