"""The double of NCCL has what CuPy's module has; needs NCCL's library, but no GPU."""

from __future__ import annotations

import inspect
import re

import pytest

from tests.gpu_double.nccl import NcclCommunicator, nccl_double


@pytest.fixture(scope="module")
def real():
    """CuPy's module."""
    pytest.importorskip("cupy", reason="needs cupy, whose names the stand-in has")
    return pytest.importorskip(
        "cupy_backends.cuda.libs.nccl", exc_type=ImportError, reason="needs NCCL"
    )


def test_numbers_of_the_double_are_those_of_cupy(real):
    double = vars(nccl_double())
    numbers = {k: v for k, v in double.items() if k.startswith("NCCL_")}
    assert numbers == {name: getattr(real, name) for name in numbers}
    assert type(real.get_unique_id()) is type(double["get_unique_id"]())
    assert len(real.get_unique_id()) == len(double["get_unique_id"]())
    assert issubclass(real.NcclError, RuntimeError)


def test_arguments_of_the_double_are_those_of_cupy(real):
    methods = [
        name for name, value in vars(NcclCommunicator).items()
        if callable(value) and not name.startswith("_")
    ]  # fmt: skip
    assert "allReduce" in methods
    for name in methods:
        first = getattr(real.NcclCommunicator, name).__doc__.splitlines()[0]
        arguments = re.findall(r"\w+ (\w+)[,)]", first)
        mine = inspect.signature(getattr(NcclCommunicator, name)).parameters
        assert list(mine) == ["self", *arguments], name
