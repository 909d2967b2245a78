"""Refusals, in PyTorch's order of checks: outputs, dtypes, devices."""

import pytest

import edutorch
from tests.fuzz.differences import difference
from tests.fuzz.outcomes import outcome
from tests.oracle import torch

CASES = [
    # Kernels that support few dtypes are not called if there is nothing to compute.
    "torch.linalg.eigh(z(2, 0, 0).half())",
    "torch.linalg.eigh(z(0, 3, 3).int())",
    "torch.linalg.eigvalsh(z(0, 0).bool())",
    "torch.linalg.cholesky_ex(z(2, 0, 0).bfloat16())",
    "torch.cholesky(z(0, 3, 3).long())",
    "torch.linalg.svd(z(2, 0, 0).half())",
    "torch.linalg.det(z(3, 0, 0).bfloat16())",
    "torch.linalg.lu_factor(z(2, 0, 0).half())",
    "torch.linalg.ldl_factor(z(0, 0).half())",
    "torch.linalg.cond(z(0, 0).bool())",
    "torch.searchsorted(z(3).bool(), z(0).bool())",
    "torch.linalg.eigh(z(2, 2).half())",
    # The dtype comes before the device, and before anything is written.
    "torch.argmin(z(2), 0, out=z(1, dtype=torch.int16, device='meta'))",
    "torch.linalg.svd(z(2, 2), out=[z(1, dtype=int, device='meta')] * 3)",
    "torch.quantile(z(2), 0.5, out=z((), dtype=torch.float64, device='meta'))",
    "torch.max(z(2, 2), 1, out=(x := z(2), x))",
    "torch.chain_matmul(z(2, 2), z(2, 2), out=z(2, 2).int())",
    "torch.chain_matmul(z(2, 2).requires_grad_(), z(2, 2), out=z(2, 2).int())",
    "torch.nonzero(z(2).requires_grad_(), out=z(2))",
    "torch.linalg.inv_ex(z(2, 2), out=(z(2, 2, device='meta'), z((), device='meta').int()))",
    # Results that are no tensor, or not as many as there are.
    "torch.any(z(2), out=(z(2),))",
    "torch.isposinf(z(2), out=[z(2)])",
    "torch.multinomial(z(2) + 1, 1, out=[z(2)])",
    "torch.split_copy(z(4), 2, out=[z(2)])",
    "torch.split_with_sizes_copy(z(4), (1, 3), out=[z(1)])",
    # What the first step of a function refuses.
    "torch.svd(z(2, 2).requires_grad_(), out=(z(2, 2), z(2), z(2, 2)))",
    "torch.linalg.matrix_rank(z(2, 2).bool(), atol=1.0, rtol=1.0)",
    "torch.linalg.matrix_rank(z(2, 2).half(), atol=1.0, rtol=1.0, hermitian=True)",
    "torch.linalg.matrix_rank(z(2, 2).half())",
    "torch.range(0, 3, out=z(4).bool())",
    "torch.slice_scatter(z(3).cfloat().requires_grad_(), z(1).cfloat(), 0, 1, 2)",
    "torch.mvlgamma(z(2).bool(), 2)",
    "torch.histogram(z(2).int(), z(2).int())",
    "torch.histogram(z(2).half(), z(2).half())",
    "torch.histogram(z(2).half(), 2)",
    "torch.fft.ihfft2(z(2, 2).cfloat())",
    # Outputs whose elements share memory, and inputs without any.
    "torch.mm(z(2, 2), z(2, 2), out=z(1, 2).expand(2, 2))",
    "torch.matmul(z(2, 2), z(2, 2), out=z(1, 2).expand(2, 2))",
    "torch.matmul(z(2, 2), z(2), out=z(1).expand(2))",
    "torch.matmul(z(3, 2, 2), z(3, 2, 2), out=z(1, 1).expand(3, 2, 2))",
    "F.fractional_max_pool2d(z(1, 0, 5, 5), 2, output_size=3)",
    "F.fractional_max_pool2d(z(0, 5, 5), 2, output_size=3)",
    "F.fractional_max_pool3d(z(1, 1, 5, 0, 5), 2, output_size=3)",
    # Statistics have the precision of the weights.
    "torch.native_layer_norm(z(2, 3).half(), (3,), z(3), z(3), 1e-5)",
    "torch.native_batch_norm(z(2, 3).half(), None, None, z(3), z(3), True, 0.1, 1e-5)",
    "torch.native_group_norm(z(2, 4, 3).half(), z(4), z(4), 2, 4, 3, 2, 1e-5)",
    # Bytes are no sizes, and truth values no numbers.
    "torch.full(b'x', 1.5)",
    "torch.permute(z(3, 4), b'xx')",
    "z(3, 4).repeat(b'ab')",
    "z(3, 4).unfold(1, 2, True)",
    "torch.flip(z(3), torch.tensor(0))",
    "F.interpolate(z(1, 1, 2, 2), size=(2, 2), mode=[1, 2])",
    "F.smooth_l1_loss(z(2), z(2), beta=float('nan'))",
]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_results_and_outputs_are_refused_in_the_order_of_pytorch(case):
    program = f"z = torch.zeros\nresult = {case}"
    expected, got = (outcome(program, x, {}) for x in (torch, edutorch))
    assert difference(expected, got) == ("", ""), f"{expected} | {got}"
