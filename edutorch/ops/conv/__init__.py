"""Convolutions, transposed convolutions, im2col and col2im.

- `convolution.py`: the op and conv1d to conv3d, with padding="same".
- `transposed.py`: conv_transpose.
- `unfold.py`: unfold and fold (im2col, col2im). `checks.py`: checks of arguments.
"""

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
