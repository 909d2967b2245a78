"""The base class of activations defined only for floating-point numbers."""

from __future__ import annotations

from typing import Any, ClassVar

from ..argument_checks import need_floats
from ..promotion import Pointwise

__all__: list[str] = []


class FloatingPointwise(Pointwise):
    """An activation that raises for integers, booleans and complex numbers."""

    kernel: ClassVar[str] = ""  # PyTorch's name of it, in messages
    also: ClassVar[str] = ""  # other kinds that it takes

    def check(self, x: Any, *_: Any) -> None:
        """Raise unless the dtype is floating-point, or one named by `also`."""
        need_floats(self.kernel, x, also=self.also)
