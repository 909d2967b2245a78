"""`out=` on another device, and the checks that come before."""

import pytest

import edutorch
from edutorch.ops import out_devices
from tests.fuzz.differences import difference
from tests.fuzz.outcomes import outcome
from tests.oracle import torch

META = "o = torch.zeros(1, dtype=torch.{}, device='meta')\n"
CASES = [
    # These copy their result, whatever its dtype.
    "torch.mm(x, x, out=o)",
    "torch.matmul(x, x, out=o)",
    "torch.mv(x, x[0], out=o)",
    "torch.triu(x, out=o)",
    "torch.linalg.solve(x, x, out=o)",
    "torch.softmax(x, 0, out=o)",
    "torch.diag(x, out=o)",
    "torch.linalg.vector_norm(x, out=o)",
    # These ask for a dtype first.
    "torch.prod(x, 0, out=o)",
    "torch.argmin(x, 0, out=o)",
    "torch.fft.fft(x, out=o)",
    "torch.fft.irfft2(x, out=o)",
    "torch.hash_tensor(x, out=o)",
    # These have words of their own.
    "torch.tensordot(x, x, out=o)",
    "torch.inner(x[0], x[0], out=o)",
    "torch.angle(x, out=o)",
    "torch.linalg.norm(x, out=o)",
    "torch.linalg.vecdot(x, x, out=o)",
    "torch.linalg.cond(x, out=o)",
    "torch.max(x, 0, out=(o, o.long()))",
    "torch.topk(x, 1, out=(o, o.long()))",
]


@pytest.mark.parametrize("dtype", ["float32", "int16"])
@pytest.mark.parametrize("case", CASES)
def test_out_on_another_device_is_refused_as_by_pytorch(case, dtype):
    text = f"x = torch.tensor([[2.0, 1.0], [0.0, 1.0]])\n{META.format(dtype)}result = {case}"
    expected, got = outcome(text, torch, {}), outcome(text, edutorch, {})
    assert not any(difference(expected, got)), (str(expected), str(got))


def test_factories_follow_the_device_of_out():
    assert out_devices.follows_device("zeros", 1, meta=False)
