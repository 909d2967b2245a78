"""Accepted differences from PyTorch, each with its reason.

An entry (`entry.py`) matches a failure whose program and kind it finds by regular
expression. A reason says why PyTorch's answer is not wanted or cannot be had, never
only that the two differ. The entries by what they are about: `ops.py`, `outs.py`,
`views.py`, `modules.py`, `transforms.py`, `optimizers.py`, `distributions.py`,
`meta.py`, `abuse.py`, `arguments.py`, `options.py`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from tests.fuzz.known import (
    abuse,
    arguments,
    distributions,
    meta,
    modules,
    ops,
    optimizers,
    options,
    outs,
    transforms,
    views,
)
from tests.fuzz.known.entry import Known

__all__ = ["KNOWN", "Known", "known"]

KNOWN = (
    *ops.KNOWN,
    *outs.KNOWN,
    *views.KNOWN,
    *modules.KNOWN,
    *transforms.KNOWN,
    *optimizers.KNOWN,
    *distributions.KNOWN,
    *meta.KNOWN,
    *abuse.KNOWN,
    *arguments.KNOWN,
    *options.KNOWN,
)


def known(
    program: str, kind: str, expected: str, causes: Collection[str] = ()
) -> Known | None:
    """The entry that explains a failure, or None.

    Args:
        program: its text.
        kind: how the libraries differ.
        expected: what PyTorch gives, as text.
        causes: the tests of causes that the failure passes.
    """
    for entry in KNOWN:
        if (
            re.fullmatch(entry.kinds, kind)
            and re.search(entry.program, program)
            and re.search(entry.expected, expected)
            and (not entry.cause or entry.cause in causes)
        ):
            return entry
    return None
