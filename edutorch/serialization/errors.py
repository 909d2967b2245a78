"""Errors of `load`: corrupted files, and names that are not allowed."""

from __future__ import annotations

import re
from pickle import UnpicklingError

__all__ = ["NotAllowedError", "corrupted", "weights_only_error"]


class NotAllowedError(UnpicklingError):
    """A pickle needs something that `weights_only=True` does not allow."""


def corrupted(why: str) -> UnpicklingError:
    """The error for inconsistent contents."""
    return UnpicklingError(f"the checkpoint is damaged or was forged: {why}")


def weights_only_error(error: NotAllowedError) -> UnpicklingError:
    """The error that `load` raises: what was refused, and how to allow it."""
    why = str(error)
    if re.search(r"GLOBAL (\S+) was not an allowed global by default", why):
        return UnpicklingError(
            "Weights only load failed. This file can still be loaded, to do so you "
            "have two options, \033[1mdo those steps only if you trust the source of "
            "the checkpoint\033[0m. "
            "\n\t(1) weights_only=False loads anything, and runs the code in the file."
            "\n\t(2) Allowing this one name keeps weights_only=True."
            f"\n\tWeightsUnpickler error: {why}"
        )
    return UnpicklingError(
        "Weights only load failed. In PyTorch 2.6, we changed the default value of the "
        "`weights_only` argument in `torch.load` from `False` to `True`. Re-running "
        "`torch.load` with `weights_only` set to `False` will likely succeed, but it "
        "can result in arbitrary code execution. Do it only if you got the file from a "
        f"trusted source.\n\nWeightsUnpickler error: {why}"
    )
