"""Averages of models over ranks, in place of averages of gradients.

- `utils.py`: averages parameters. `averagers.py`: does so every few steps.
"""

from . import averagers, utils

__all__ = ["averagers", "utils"]
