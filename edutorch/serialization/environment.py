"""Environment variables that decide `weights_only`."""

from __future__ import annotations

import os
import warnings
from typing import Any

__all__ = ["weights_only_mode"]

YES = ("1", "y", "yes", "true")


def weights_only_mode(weights_only: bool | None, pickle_module: Any) -> bool:
    """Whether `load` uses `weights_only`, by its arguments and the environment.

    Raises:
        RuntimeError: if the environment says both.
    """
    always, never = (
        os.environ.get(name, "0").lower() in YES
        for name in (
            "TORCH_FORCE_WEIGHTS_ONLY_LOAD",
            "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD",
        )
    )
    if always and never:
        raise RuntimeError(
            "Only one of `TORCH_FORCE_WEIGHTS_ONLY_LOAD` or "
            "`TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD` should be set, but both were set."
        )
    if always:
        return True
    if weights_only is not None:
        return bool(weights_only)
    if never:
        warnings.warn(
            "Environment variable TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD detected, since the"
            "`weights_only` argument was not explicitly passed to `torch.load`, "
            "forcing weights_only=False.",
            UserWarning,
            stacklevel=4,
        )
        return False
    return pickle_module is None
