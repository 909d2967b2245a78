"""What tensors print: several hundred of all kinds, compared with PyTorch's text.

The text is stored (`reprs.json`), so that the test says something where PyTorch is not
installed; where it is, the stored text is checked too. `EDUTORCH_STORE=1` stores anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import edutorch
from tests.answers import STORE, oracle, stored, write

STORED = Path(__file__).with_name("reprs.json")

FLOATS = ("float16", "bfloat16", "float32", "float64")
WHOLE = ("uint8", "int8", "int16", "int32", "int64")
VALUES = [
    "[1.0, 2.0, 3.0]", "[0.1, -2.5, 3.25]", "[1e-5, 1.0]", "[1e6, 1.5]", "[1e9, 1e-9]",
    "[float('nan'), 1.0]", "[float('inf'), -1.5]", "[float('-inf'), float('nan')]",
    "[0.0, -0.0]", "[]", "[[1.0], [2.5]]", "[[]]", "3.14159", "-7.0", "1e-10", "1e20",
    "[12345.678, 0.001]", "[1e4, 2e4]", "[99999.0, 1.0]", "[0.33333333]",
    "[100000.0, 3.0]", "[1234567.0]", "[[0.5, -0.5], [100.0, 1e-3]]", "[1.0, 1e8]",
]  # fmt: skip
INTEGERS = ["[1, 2, 3]", "[[1, 20], [100, 4]]", "[]", "7", "[0, 0]", "[[[1]], [[2]]]"]
SIGNED = ["[-1, 10]", "-100", "[[-5], [5]]"]
COMPLEX = ["[1 + 2j]", "[0.5 - 1j, 1e6j]", "1j", "[]", "[[1 + 1j], [float('nan') * 1j]]",
           "[1e-6 + 1j]", "[complex(1, float('inf'))]"]  # fmt: skip
BOOLS = ["[True, False]", "[[True], [True]]", "True", "[]"]
OTHERS = [
    "torch.zeros(0, 3)", "torch.zeros(2, 0)", "torch.zeros(0, dtype=torch.int64)",
    "torch.zeros(2, 0, dtype=torch.bool)", "torch.zeros(3, 0, 2, dtype=torch.float64)",
    "torch.arange(1001)", "torch.arange(1000)", "torch.arange(2000.0)",
    "torch.arange(1200).reshape(30, 40)", "torch.arange(1200.0).reshape(400, 3)",
    "torch.arange(1200.0).reshape(3, 400)", "torch.arange(2400).reshape(20, 10, 12)",
    "torch.arange(2400.0).reshape(2, 2, 600)", "torch.arange(24).reshape(2, 3, 4)",
    "torch.arange(24.0).reshape(2, 1, 3, 4) / 7", "torch.arange(60)", "torch.ones(50)",
    "torch.arange(30.0) / 3", "torch.arange(100) % 2 == 0", "torch.eye(3)",
    "torch.eye(2, dtype=torch.int32)", "torch.linspace(0, 1, 11)", "torch.arange(8) * 1j",
    "torch.ones(2, requires_grad=True)", "torch.ones(2, requires_grad=True) * 2",
    "torch.ones(2, 2, requires_grad=True).sum()", "torch.ones(3, requires_grad=True)[1:]",
    "torch.ones(2, dtype=torch.float64, requires_grad=True)",
    "torch.ones(1, requires_grad=True).exp().double()",
    "(torch.ones(40, requires_grad=True) / 3).sin()",
    "torch.nn.Parameter(torch.ones(2, 2))",
    "torch.nn.Parameter(torch.ones(2), requires_grad=False)",
    "torch.ones(2, 3).t()", "torch.ones(3).expand(2, 3)", "torch.arange(9.0)[::3]",
    "torch.tensor(1.0).expand(2)", "torch.full((2, 2), 7)", "torch.full((2,), 1e-7)",
    "torch.ones(2).max(0)", "torch.tensor([3, 1]).sort()", "torch.ones(2).shape",
    "torch.ones(2, 2).topk(1)", "torch.ones(2).dtype", "torch.device('cpu')",
    "torch.ones(2).stride()", "[torch.ones(1), torch.zeros(2)]",
    "{'a': torch.ones(1)}", "(torch.tensor(1), torch.tensor([2.5]))",
    "torch.tensor([1e5, 1e-5, 1.0])", "torch.tensor([[1e10, 1.0], [2.0, 3.0]])",
    "torch.arange(20000.0)", "torch.arange(1e6, 1e6 + 3)", "torch.tensor([2.0**60])",
    "torch.tensor([-(2**63), 2**63 - 1])", "torch.tensor([[1.5] * 30])",
    "torch.zeros(2, 2, 2, 2)", "torch.zeros(1, 1, 1)", "torch.tensor([[True] * 40])",
]  # fmt: skip
SCALES = (1, 0.5, 0.3, 10, 33.3, 1e-3, 1e-4, 2e4, 1e5, 7e-6)
OPTIONS = ["precision=2", "sci_mode=True", "sci_mode=False", "linewidth=40",
           "threshold=5", "threshold=5, edgeitems=1", "profile='short'",
           "profile='full'", "precision=8"]  # fmt: skip
SHOWN = ["torch.arange(12.0) / 7", "torch.arange(12).reshape(3, 4)",
         "torch.tensor([1e-8, 1.0])", "torch.tensor([1 + 2j, 0.1j])"]  # fmt: skip


def cases():
    """Expressions, each with the printing options it is shown under."""
    found = [f"torch.tensor({v}, dtype=torch.{t})" for t in FLOATS for v in VALUES]
    found += [f"torch.tensor({v})" for v in VALUES]
    found += [f"torch.tensor({v}, dtype=torch.{t})" for t in WHOLE for v in INTEGERS]
    found += [f"torch.tensor({v}, dtype=torch.{t})" for t in WHOLE[1:] for v in SIGNED]
    found += [f"torch.tensor({v}, dtype=torch.{t})"
              for t in ("complex64", "complex128") for v in COMPLEX]  # fmt: skip
    found += [f"torch.tensor({v}, dtype=torch.bool)" for v in BOOLS]
    found += [f"((torch.arange(7.0) - 3) * {scale}).to(torch.{t})"
              for t in FLOATS for scale in SCALES]  # fmt: skip
    found += OTHERS
    return [(e, "") for e in found] + [(e, o) for o in OPTIONS for e in SHOWN]


def text(lib, expression, options):
    """What Python prints of an expression's value."""
    lib.set_printoptions(profile="default")
    names = {"torch": lib}
    exec(f"torch.set_printoptions({options})" if options else "", names)
    try:
        return repr(eval(expression, names))
    finally:
        lib.set_printoptions(profile="default")
        lib.set_printoptions(sci_mode=None)


def answers():
    """PyTorch's text of every case, or the stored one where it is not installed."""
    if oracle() is None:
        return stored(STORED)
    fresh = {f"{e} | {o}": text(oracle(), e, o) for e, o in cases()}
    if STORE:
        write(STORED, fresh)
        return fresh
    assert fresh == stored(STORED), "not what PyTorch prints: EDUTORCH_STORE=1"
    return fresh


@pytest.fixture(scope="module")
def expected():
    return answers()


def test_reprs_are_several_hundred():
    assert len(cases()) >= 300


@pytest.mark.parametrize(("expression", "options"), cases())
def test_reprs_equal_pytorch_s(expected, expression, options):
    got = text(edutorch, expression, options)
    assert got == expected[f"{expression} | {options}"]
