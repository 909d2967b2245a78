"""`out=` on another device, and the checks that come before."""

import pytest

import edutorch
from edutorch.ops import out_devices
from tests.fuzz.differences import difference
from tests.fuzz.outcomes import outcome
from tests.oracle import torch

META = "o = torch.zeros(1, dtype=torch.{}, device='meta')\n"
CASES = [
    "torch.isposinf(x, out=o)",
    "torch.max(x, out=o[0])",
    "torch.polygamma(1, x[0, 0], out=o[0])",
    "torch.linalg.solve_triangular(x, x, upper=True, out=o)",
    "torch.linalg.ldl_factor_ex(x, out=(o, o, o))",
    "torch.rand(1, out=o)",
    "torch.randn(1, out=o)",
    "torch.normal(0.0, 1.0, (1,), out=o)",
    # These copy their result, whatever its dtype.
    "torch.mm(x, x, out=o)",
    "torch.matmul(x, x, out=o)",
    "torch.mv(x, x[0], out=o)",
    "torch.triu(x, out=o)",
    "torch.linalg.solve(x, x, out=o)",
    "torch.softmax(x, 0, out=o)",
    "torch.diag(x, out=o)",
    "torch.linalg.vector_norm(x, out=o)",
    "torch.prod(x, 0, out=o)",
    "torch.any(x, 0, out=o)",
    "torch.linalg.slogdet(x, out=(o, o))",
    "torch.nansum(x, 0, out=o)",
    "torch.median(x, 0, out=(o, o))",
    "torch.multinomial(x + 1, 1, out=o)",
    "torch.scatter_reduce(x, 0, x.long() * 0, x, 'amin', out=o)",
    # These have no kernel there.
    "torch.masked_select(x, x > 0, out=o)",
    "torch.geqrf(x, out=(o, o))",
    "torch.linalg.lstsq(x, x, out=(o, o, o, o))",
    "torch.histogram(x, x[0].sort()[0], out=(o, o))",
    # These copy one number there, cast where that is safe.
    "torch.amax(x, out=o[0])",
    "torch.mean(x, (0, 1), out=o[0])",
    "torch.prod(x[0], 0, out=o[0])",
    "torch.linspace(x[0, 0], 4, 1, out=o)",
    "torch.linspace(2, x[0, 0], 1, out=o)",
    # These ask for a dtype first.
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
