"""PyTorch's order of checks: the parser, then shapes, then dtypes.

Each line of `checked_in_order.txt` is run under both libraries: the exception's class
and the first line of its message must be the same, or the result. Random programs have
found them.
"""

from pathlib import Path

import pytest

import edutorch
from tests.fuzz.differences import difference
from tests.fuzz.outcomes import outcome
from tests.oracle import torch

MADE = (
    "draw = lambda *n: np.random.default_rng(0).standard_normal(n) * 2\n"
    "x = lambda *n: torch.tensor(draw(*n)).float()\n"
    "u = lambda *n: torch.tensor(np.random.default_rng(0).random(n)).float()\n"
    "s = lambda *n: x(*n) @ x(*n).mT + 3 * torch.eye(n[-1])\n"
)
CALLS = Path(__file__).with_name("checked_in_order.txt").read_text()


@pytest.mark.parametrize("call", CALLS.strip().splitlines())
def test_calls_are_checked_in_the_order_of_pytorch(call):
    program = MADE + (call if "result = " in call else f"result = {call}")
    expected = outcome(program, torch, {})
    got = outcome(program, edutorch, {})
    assert difference(expected, got) == ("", ""), f"{expected} | {got}"


@pytest.mark.parametrize(
    "call",
    [
        "x.to(0)",
        "x.cuda(0)",
        "x.new_zeros(2, device=0)",
        "torch.tensor([1], device=0)",
        "torch.device(0)",
        "x.cuda('cpu')",
        "x.cuda(torch.device('cpu'))",
        "torch.nn.Linear(1, 1).cuda(0)",
    ],
)
def test_numbers_of_gpus_are_refused_where_there_are_none(call):
    program = f"x = torch.ones(2)\nresult = {call}"
    expected, got = outcome(program, torch, {}), outcome(program, edutorch, {})
    assert difference(expected, got) == ("", ""), f"{expected} | {got}"
