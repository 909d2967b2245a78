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
"""


@programs.add
def strided(torch):
    return answers(torch, "strided", TEXTS.replace("torch.ones(3) + v\n", ""))


@programs.add
def jagged(torch):
    return answers(torch, "jagged", TEXTS)


test_broadcasting = programs.test()
