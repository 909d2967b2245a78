"""Signal processing, as in `torch.signal`.

- `windows.py`: windows, symmetric or periodic.
"""

from __future__ import annotations

from . import windows

__all__ = ["windows"]
