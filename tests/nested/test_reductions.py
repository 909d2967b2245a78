"""Reductions of nested tensors."""

from __future__ import annotations

from tests.nested.shown import answers
from tests.programs import Programs

programs = Programs(__file__)
TEXTS = """
v.sum()
v.sum(-1)
v.sum(-1, keepdim=True)
v.sum(0)
v.sum(1)
v.sum((1, 2))
v.mean(-1)
v.max()
v.amax(-1)
"""
JAGGED = """
v.sum((0, 1))
v.sum(1, keepdim=True)
v.mean((0, 1))
v.min(1)
v.max(-1)
v.unsqueeze(1).sum(1)
v.unsqueeze(1).amax(2)
v.all()
"""


@programs.add
def strided(torch):
    return answers(torch, "strided", TEXTS)


@programs.add
def jagged(torch):
    return answers(torch, "jagged", TEXTS + JAGGED)


test_reducing = programs.test()
