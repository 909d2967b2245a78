"""Where elements are."""

import pytest

from tests.ops.cases import alike

CASES = [
    "torch.nonzero_static(k, size=3)",
    "k.nonzero_static(size=8, fill_value=5)",
    "torch.nonzero_static(s, size=2)",
    "torch.isin(k, torch.tensor([3, 0, 9]))",
    "torch.isin(k, torch.tensor([[3], [0]]), invert=True)",
    "torch.isin(3, k)",
    "torch.isin(v, 2.5)",
    "torch.isin(v, v)",
    "torch.isin(k, torch.tensor([3.0, 0.5]), assume_unique=True)",
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
