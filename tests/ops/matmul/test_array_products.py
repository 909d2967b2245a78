"""Products of arrays."""

import ml_dtypes
import numpy as np
import pytest

import edutorch as torch
from edutorch.ops.matmul.array_products import bmm_arrays, ctranspose, matmul_arrays


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_half_precision_products_are_summed_in_single(dtype):
    x = np.full((1, 4096), 1, dtype)
    assert matmul_arrays(x, x.T).item() == 4096
    assert bmm_arrays(x[None], x.T).dtype == dtype


@pytest.mark.parametrize("dtype", [torch.int64, torch.int8, torch.float16])
def test_one_row_is_not_broadcast_over_wider_matrices(dtype):
    a, b = torch.ones(3, 4, dtype=dtype), torch.ones(1, 4, dtype=dtype)
    with pytest.raises(RuntimeError, match=r"be multiplied \(3x4 and 1x4\)"):
        torch.mm(a, b)


def test_stacked_times_one_matrix_equals_matmul():
    a, b = np.random.default_rng(0).random((2, 3, 4)), np.ones((4, 5))
    np.testing.assert_allclose(bmm_arrays(a, b), a @ b)


def test_ctranspose_conjugates_and_swaps():
    x = np.array([[1 + 2j, 3]])
    assert ctranspose(x).tolist() == [[1 - 2j], [3]]
    assert ctranspose(torch.from_numpy(x)).tolist() == [[1 - 2j], [3]]
