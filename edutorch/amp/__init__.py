"""Mixed precision: products in 16 bits, sums in 32, and loss scaling.

Under `autocast`, public functions cast their operands; `GradScaler` scales losses so
that 16-bit gradients neither underflow nor overflow. While autocast is off, a function
on its lists only checks one flag. Read in this order:

- `autocast_mode.py`: `autocast`, the context manager.
- `state.py`: whether autocast is enabled, for which device type, with which dtype.
- `lists.py`: PyTorch's lists of functions and their casts.
- `casting.py`: casts the operands.
- `grad_scaler.py`: `GradScaler`.

Reference: Micikevicius et al., "Mixed precision training", 2018.
"""

from .autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from .grad_scaler import GradScaler

__all__ = [
    "GradScaler",
    "autocast",
    "custom_bwd",
    "custom_fwd",
    "is_autocast_available",
]
