"""Mixed precision: products in 16 bits, sums in 32, and gradients that stay finite.

`autocast` lets public functions cast their operands; `GradScaler` scales losses so that
16-bit gradients neither vanish nor overflow. While autocast is off, a function on its
lists only checks one flag. Read in this order:

- `autocast_mode.py`: `autocast`, the block.
- `state.py`: whether it is on, for which kind of device, with which dtype.
- `lists.py`: what is done with which function: PyTorch's lists.
- `casting.py`: how the operands are cast.
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
