"""Disagreements that stay, each with its reason: of the meta device."""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"y = x0\.\w+_\((.*\n)*result = told",
        "refused|message|exception|accepted",
        "on the meta device PyTorch's rules are written in Python: in place they check "
        "less than its kernels do, and in other words",
    ),
    Known(
        r"device='meta'(.*\n)*.*as_strided",
        "refused",
        "memory of the meta device is reserved, and views never look beyond it",
        r"^\[",
    ),
    Known(
        r"fft(.*\n)*.*device='meta'|device='meta'(.*\n)*.*fft",
        "message",
        "PyTorch's rules for the meta device lay out transforms otherwise than its "
        "transforms do",
        r"^\[",
    ),
    Known(
        r"scatter.*device='meta'|device='meta'(.*\n)*.*scatter",
        "refused",
        "PyTorch reads and writes memory that is not there",
    ),
)
