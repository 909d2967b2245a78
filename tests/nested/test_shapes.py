"""Other shapes of nested tensors, and parts of them."""

from __future__ import annotations

from tests.nested.shown import answers
from tests.programs import Programs

programs = Programs(__file__)
TEXTS = """
v.transpose(1, 2)
v.transpose(0, 1)
v.unsqueeze(1).unsqueeze(-1)
v.unsqueeze(0)
v.unsqueeze(2).squeeze(2)
v.squeeze(0)
v.view(2, -1, 3, 1)
v.view(2, -1, 1, 3)
v.view(3, -1)
v.chunk(3, -1)
v.narrow(2, 0, 2)
torch.cat([v, v * 2], -1)
v.select(2, 1)
v.select(0, 1)
"""
JAGGED = """
v.unflatten(-1, (3, 1)).flatten(-2)
v.flatten(1)
v.split([1, 2], -1)
torch.cat([v, v * 2], 1)
v.select(1, 0)
v.narrow(1, 0, 1)
v.chunk(2, 1)
v.chunk(2)
v.unsqueeze(1).select(1, 0)
v.view(2, v.size(1), 3, 1)
v.view(2, 3, 5)
"""


@programs.add
def strided(torch):
    return answers(torch, "strided", TEXTS)


@programs.add
def jagged(torch):
    return answers(torch, "jagged", TEXTS + JAGGED)


test_shapes = programs.test()
