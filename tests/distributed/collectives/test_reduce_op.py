"""Names of reductions."""

from __future__ import annotations

import pytest

from edutorch.distributed import ReduceOp


def test_operations_have_names_and_text_as_in_pytorch():
    assert ReduceOp("sum") is ReduceOp.SUM
    assert repr(ReduceOp.BXOR) == "<RedOpType.BXOR: 7>"
    with pytest.raises(ValueError, match="median"):
        ReduceOp("median")
