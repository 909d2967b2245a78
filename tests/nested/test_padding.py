"""Nested tensors, filled up."""

from __future__ import annotations

from tests.nested.shown import nested
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def filled(torch):
    pad, found = torch.nested.to_padded_tensor, []
    for layout in ("strided", "jagged"):
        x = nested(torch, layout)
        sizes = None, (2, 4, 3), (2, 2, 3), (2, 5, 4)
        found += [attempt(lambda x=x, s=s: pad(x, -1.0, s)) for s in sizes]
    return found


test_padding = programs.test()
