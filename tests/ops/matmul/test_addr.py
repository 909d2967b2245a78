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


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64])
@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_addr_keeps_the_order_of_the_matrix_in_memory(dtype, device):
    x = torch.ones(3, 2, dtype=dtype, device=device).t()
    vectors = [v.to(device, dtype) for v in VECTORS]
    assert torch.addr(x, *vectors).stride() == (1, 2)
    assert torch.addr(x.contiguous(), *vectors).stride() == (3, 1)
