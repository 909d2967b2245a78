"""Requirements on the parts of sparse tensors."""

import pytest

import edutorch as torch
from tests.ops.sparse.shown import prints

REFUSED = [
    "torch.sparse_coo_tensor(i, v, (1, 3), check_invariants=True)",
    "torch.sparse_coo_tensor(-i, v, (2, 3), check_invariants=True)",
    "torch.sparse_coo_tensor(i, v, (2,))",
    "torch.sparse_coo_tensor(i, v[:2], (2, 3))",
    "torch.sparse_coo_tensor([[1, 0, 1], [1, 2, 1]], v, (2, 3), is_coalesced=True, "
    "check_invariants=True)",
    *(
        f"torch.sparse_csr_tensor({a}, {b}, v, (2, 3), check_invariants=True)"
        for a, b in (
            ([0, 1, 4], [2, 0, 2]), ([0, 1, 3], [2, 0, 9]), ([0, 1, 0], [2, 0, 2]),
            ([1, 1, 3], [2, 0, 2]), ([0, 1], [2, 0, 1]), ([0, 1, 3], [2, 0]),
            ([0, 1, 3], [2, 2, 0]), ([0, 1, 3], [2, -1, 0]),
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize("expression", REFUSED)
def test_checks_refuse_what_pytorch_refuses(expression: str):
    prints(expression)


@pytest.mark.parametrize("indices", [[[0, 9]], [[0, -1]]])
def test_positions_outside_are_always_refused(indices):
    with pytest.raises(RuntimeError, match="index"):
        torch.sparse_coo_tensor(indices, [1.0, 2.0], (3,))
