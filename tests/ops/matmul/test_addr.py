"""addr: the dtypes and shapes that PyTorch takes."""

import pytest

import edutorch as torch

VECTORS = torch.ones(2), torch.ones(3)


def test_addr_takes_boolean_scales_of_booleans_alone():
    truths = [t.bool() for t in (torch.ones(2, 3), *VECTORS)]
    assert torch.addr(*truths, beta=True, alpha=True).all()
    with pytest.raises(RuntimeError, match="Boolean beta only supported for Boolean"):
        torch.addr(torch.ones(2, 3), *VECTORS, beta=True)
    with pytest.raises(RuntimeError, match="Boolean alpha only supported for Boolean"):
        torch.addr(torch.ones(2, 3), *VECTORS, alpha=False)


def test_addr_refuses_a_matrix_of_another_shape_even_where_it_counts_nothing():
    with pytest.raises(RuntimeError, match="must match the existing size"):
        torch.addr(torch.ones(5), *VECTORS, beta=0)
