"""Nested tensors themselves."""

from __future__ import annotations

import re

from tests.nested.shown import answers, nested
from tests.programs import Programs

programs = Programs(__file__)
TEXTS = """
v.shape
v.size()
v.size(0)
v.size(2)
v.dim()
v.ndim
v.numel()
len(v)
v.is_nested
v.layout
v.unbind()
v.unbind(1)
v[0]
v[0, 0]
v[-1]
v[5]
list(v)
v.values()
v.is_contiguous()
v.requires_grad
v.requires_grad_().requires_grad
v.is_leaf
v.dtype
v.element_size()
v.to_padded_tensor(0.0)
v.to_padded_tensor(-1.0, (2, 4, 3))
v.numpy()
v.tolist()
"""


@programs.add
def strided(torch):
    return answers(torch, "strided", TEXTS + "v.size(1)\nv._nested_tensor_size()")


@programs.add
def jagged(torch):
    more = "v.offsets()\nv.lengths()\nv.size(1)\nv._min_seqlen\nv._max_seqlen"
    return answers(torch, "jagged", TEXTS + more)


@programs.add
def printed(torch):
    found = []
    for layout in ("strided", "jagged"):
        x = nested(torch, layout)
        leaf = nested(torch, layout, requires_grad=True)
        found += [repr(x), str(leaf), repr(leaf * leaf), repr(x.transpose(1, 2))]
    return [re.sub(r"j\d+", "j", text) for text in found]


@programs.add
def sizes_are_the_same_where_offsets_are(torch):
    x = nested(torch, "jagged")
    return [x.size(1) == (x + 1).size(1), x.size(1) == 3, x.size(1) >= 2]


test_tensor = programs.test()
