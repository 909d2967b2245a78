"""What registering a hook returns."""

from ..autograd.hooks import RemovableHandle

__all__ = ["RemovableHandle"]
