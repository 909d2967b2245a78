"""The words of the library that the checks use, from the rooms they live in."""

from __future__ import annotations

from edutorch import nn
from edutorch.nn import functional
from edutorch.ops.create import arange, from_numpy, tensor
from edutorch.optim import SGD

__all__ = ["SGD", "arange", "from_numpy", "functional", "nn", "tensor"]
