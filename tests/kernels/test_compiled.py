"""Compiled kernels are found for the arrays that they support, and only those."""

import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import warmup
from edutorch.kernels.compiled import CompiledKernels

X = np.ones((4, 4), np.float32)
with_numba = pytest.mark.skipif(find_spec("numba") is None, reason="needs Numba")


def test_find_in_plain_mode_gives_none():
    with config.kernels("plain"):
        assert CompiledKernels("softmax").find("softmax", X) is None


def test_find_without_numba_gives_none(monkeypatch):
    monkeypatch.setattr(warmup, "has_numba", lambda: False)
    with config.kernels("fast"):
        assert CompiledKernels("softmax").find("softmax", X) is None


def test_find_before_all_is_compiled_gives_none(monkeypatch):
    monkeypatch.setattr(config._Auto, "compiled", False)
    with config.kernels("auto"):
        assert CompiledKernels("softmax").find("softmax", X) is None


@with_numba
def test_find_after_a_fast_block_gives_none_where_auto_is_numpy(monkeypatch):
    monkeypatch.setattr(config._Auto, "compiled", False)
    found = CompiledKernels("softmax")
    with config.kernels("fast"):
        assert found.find("softmax", X) is not None
    with config.kernels("auto"):
        assert found.find("softmax", X) is None


@with_numba
def test_find_when_kernels_are_compiled_in_mid_process_stays_with_numpy(tmp_path):
    program = (
        "import numpy as np\n"
        "from edutorch.kernels import softmax, warmup\n"
        "x = np.linspace(-9, 9, 4000, dtype=np.float32).reshape(4, 1000)\n"
        "before = softmax.softmax(x, 1)\n"
        "warmup.cache_folder().mkdir(parents=True)\n"
        "(warmup.cache_folder() / warmup.COMPLETE_FILE).touch()  # as `warmup` leaves it\n"
        "assert warmup.is_warm()\n"
        "assert (softmax.softmax(x, 1) == before).all()\n"
        "assert softmax._compiled.find('softmax', x) is None\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    environment["EDUTORCH_KERNELS"] = "auto"
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)


@with_numba
def test_find_gives_a_kernel_for_arrays_that_it_can_take():
    found = CompiledKernels("softmax")
    with config.kernels("fast"):
        assert found.find("softmax", X) is not None
        assert found.find("softmax", X.astype(float)) is None
        assert found.find("softmax", X.astype(np.int32)) is None
        assert found.find("softmax_backward", X, X.astype(float)) is None
        assert found.find("softmax", X[:, ::2]) is None
        frozen = X.copy()
        frozen.flags.writeable = False
        assert found.find("softmax", frozen) is None
    assert repr(found) == "<CompiledKernels softmax (loaded)>"


@with_numba
def test_find_under_a_debugger_gives_none_unless_kernels_are_fast(monkeypatch):
    found = CompiledKernels("softmax")
    with config.kernels("fast"):
        assert found.find("softmax", X) is not None
    monkeypatch.setattr(config._Auto, "compiled", True)
    with config.kernels("auto"):
        assert found.find("softmax", X) is not None
    monkeypatch.setattr(config, "under_debugger", lambda: True)
    with config.kernels("auto"):
        assert found.find("softmax", X) is None


def test_import_of_edutorch_leaves_numba_alone():
    program = "import sys, edutorch; raise SystemExit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_elementwise_of_arrays_of_several_shapes_gives_none():
    g, y = np.ones((9, 200), np.float32), np.ones(200, np.float32)
    with config.kernels("fast"):
        assert CompiledKernels("activations").elementwise("relu_gradient", g, y) is None
        assert CompiledKernels("activations").elementwise("relu_gradient", y, g) is None


@with_numba
def test_elementwise_result_has_the_dtype_that_is_given():
    found = CompiledKernels("casts")
    x = np.full((30, 40), 1.5, np.float32)
    with config.kernels("fast"):
        y = found.elementwise("float16_from_float32", x, dtype=np.uint16)
    assert y.dtype == np.uint16
    assert (y.view(np.float16) == 1.5).all()
