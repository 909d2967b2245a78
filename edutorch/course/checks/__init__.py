"""The checks of the exercises, one file per chapter: a function each, with its hints.

- `ch01.py`: tensors and NumPy. `ch02.py`: autograd on scalars. `ch04.py`: debugging.
  `ch09.py`: convolutional networks.
"""

from __future__ import annotations

__all__: list[str] = []
