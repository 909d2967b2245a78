"""The errors of `load`: a file that is damaged, and one that asks for too much."""

from __future__ import annotations

import re
from pickle import UnpicklingError

__all__ = ["NotAllowedError", "damaged", "explained"]


class NotAllowedError(UnpicklingError):
    """A pickle wants something that loading without running code does not do."""


def damaged(why: str) -> UnpicklingError:
    """The error for contents that contradict each other or the file."""
    return UnpicklingError(f"the checkpoint is damaged or was forged: {why}")


def explained(error: NotAllowedError) -> UnpicklingError:
    """The error that `load` raises: what was refused, and what can be done about it."""
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
