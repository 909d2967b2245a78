"""Plain operands combined with nested ones."""

from __future__ import annotations

from tests.nested.shown import answers
from tests.programs import Programs

programs = Programs(__file__)
TEXTS = """
v * torch.ones(2, 1, 3)
v + torch.arange(2.0).reshape(2, 1, 1)
v + torch.ones(1, 1, 3)
v + torch.arange(18.0).reshape(2, 3, 3)
v + torch.tensor(1.0)
torch.ones(3) + v
v + w
v == w
v + torch.ones(2, 3)
v + torch.ones(1, 2, 3)
v + torch.ones(2, 2, 3)
v * torch.ones(3, 1, 3)
v - torch.ones(2, 1, 1, 1)
torch.maximum(v, torch.ones(2, 3))
v.pow(torch.ones(2, 3))
v.transpose(1, 2) + torch.arange(5.0)
v.sum(-1) + torch.ones(3)
"""
STRIDED = TEXTS.replace("torch.ones(3) + v\n", "").replace("v.sum(-1)", "v")


@programs.add
def strided(torch):
    return answers(torch, "strided", STRIDED)


@programs.add
def jagged(torch):
    return answers(torch, "jagged", TEXTS)


test_broadcasting = programs.test()
