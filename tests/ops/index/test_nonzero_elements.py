"""The indices of nonzero elements."""

import pytest

import edutorch
from tests.ops.cases import alike

CASES = [
    "torch.nonzero_static(ints, size=3)",
    "ints.nonzero_static(size=8, fill_value=5)",
    "torch.nonzero_static(scalar, size=2)",
    "torch.nonzero(ints)",
    "ints.nonzero()",
    "mask.nonzero(as_tuple=True)",
    "torch.nonzero(scalar)",
    "torch.nonzero(scalar, as_tuple=True)",
    "torch.nonzero(torch.zeros(2, 2))",
    "torch.argwhere(ints)",
    "a.argwhere()",
    "ints[ints.nonzero(as_tuple=True)]",
    "ints.nonzero().stride()",
    "torch.nonzero(torch.zeros(()))",
]


@pytest.mark.parametrize("case", CASES)
def test_nonzero_positions_equal_pytorch(case):
    alike(__file__, case)


def test_places_of_values_that_are_not_there_are_refused():
    x = edutorch.ones(3, device="meta")
    for find in (edutorch.nonzero, edutorch.argwhere):
        with pytest.raises(NotImplementedError, match="register_meta function for tor"):
            find(x)
