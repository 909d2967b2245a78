"""Where elements are."""

import pytest

from tests.ops.cases import alike

CASES = [
    "torch.nonzero(k)",
    "k.nonzero()",
    "m.nonzero(as_tuple=True)",
    "torch.nonzero(s)",
    "torch.nonzero(s, as_tuple=True)",
    "torch.nonzero(torch.zeros(2, 2))",
    "torch.argwhere(k)",
    "a.argwhere()",
    "k[k.nonzero(as_tuple=True)]",
    "k.nonzero().stride()",
    "torch.nonzero(torch.zeros(()))",
]


@pytest.mark.parametrize("case", CASES)
def test_found_equal_pytorch(case):
    alike(__file__, case)
