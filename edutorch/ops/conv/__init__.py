"""Convolutions, transposed convolutions, and the columns they are made of."""

from .convolution import conv1d, conv2d, conv3d
from .transposed import conv_transpose1d, conv_transpose2d, conv_transpose3d
from .unfold import fold, unfold

__all__ = [
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "fold",
    "unfold",
]
