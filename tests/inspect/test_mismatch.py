"""Verdicts, and what rules are given."""

from __future__ import annotations

from edutorch.inspect.mismatch import FailedCall, Mismatch, Operand


def test_mark_adds_dimensions_to_those_of_an_operand():
    mismatch = Mismatch()
    mismatch.mark(0, 1)
    mismatch.mark(0, 2, 1)
    assert mismatch.marked == {0: {1, 2}}


def test_operand_is_found_by_one_of_its_roles():
    operands = [Operand("input", (2,), "", ""), Operand("target", (3,), "", "")]
    call = FailedCall("loss", operands, "", {})
    assert call.find("weight", "target") == 1
    assert call.find("weight") is None
    assert call.shape(1) == (3,)
