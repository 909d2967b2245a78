"""Products on fewer threads have the same bits, on several kinds of processor."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import edutorch as torch
from edutorch.backends import openblas
from edutorch.free_cores import cores
from edutorch.kernels import products, thread_pool

known = pytest.mark.skipif(
    openblas._counts() is None, reason="NumPy was built with another BLAS"
)
BITS = """
import numpy as np, random
import edutorch as torch
from edutorch.backends import threads
from edutorch.free_cores import cores
from edutorch.kernels import products

torch.set_num_threads(2)
cores.missing, cores.next, cores.until = 1, float("inf"), float("inf")
draw, fewer = random.Random(0), 0
for i in range(40):
    n, m = (draw.choice([20, 64, 65, 100, 128, 200, draw.randint(2, 300)]) for _ in "nm")
    k = draw.choice([64, 128, 320, 500, 512, 600, 700, 784, 1000, draw.randint(2, 900)])
    layout = draw.random() < 0.5, draw.random() < 0.5
    dtype = np.dtype(draw.choice("fd"))
    a = products._random(n, k, dtype, layout[0], 2 * i + 5)
    b = products._random(k, m, dtype, layout[1], 2 * i + 6)
    wanted = a.dot(b)
    before = threads.blas_threads_changes()
    for out in (None, np.empty_like(wanted)):
        assert products.product(a, b, out).tobytes() == wanted.tobytes(), (n, k, m)
    fewer += threads.blas_threads_changes() > before
print(fewer)
"""


@pytest.fixture
def taken(monkeypatch):
    """Another process takes one of two cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    monkeypatch.setattr(cores, "missing", 1)
    monkeypatch.setattr(cores, "next", float("inf"))
    monkeypatch.setattr(cores, "until", float("inf"))
    yield
    torch.set_num_threads(before)


@known
@pytest.mark.parametrize("processor", ["", "Haswell", "SkylakeX", "Nehalem"])
def test_fewer_threads_change_no_bit(processor):
    if processor and platform.machine() != "x86_64":
        pytest.skip("another architecture")
    if processor == "SkylakeX" and "avx512f" not in Path("/proc/cpuinfo").read_text():
        pytest.skip("the processor does not have these instructions")
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
    if processor:
        environment["OPENBLAS_CORETYPE"] = processor
    done = subprocess.run(
        [sys.executable, "-c", BITS], env=environment, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    if processor == "SkylakeX":
        assert int(done.stdout) > 20  # of 40, most are large enough


@known
def test_products_of_ops_use_fewer_threads(taken, monkeypatch):
    asked = []
    monkeypatch.setattr(
        products, "_multiply", lambda a, b, *_: asked.append(1) or a @ b
    )
    monkeypatch.setattr(products, "_same_bits", lambda *_: ((0, 256),))
    monkeypatch.setattr(products, "_known", {})
    x = torch.ones(256, 256, requires_grad=True)
    for y in (x @ x.exp(), torch.nn.functional.linear(x, x.exp())):
        y.sum().backward()
    assert len(asked) == 6  # forward, and both gradients
    assert torch.get_num_threads() == 2


@known
def test_product_keeps_all_threads_without_the_same_bits(taken, monkeypatch):
    monkeypatch.setattr(products, "_same_bits", lambda *_: ())
    monkeypatch.setattr(products, "_known", {})
    monkeypatch.setattr(products, "_multiply", lambda *_: pytest.fail("fewer threads"))
    x = np.ones((256, 256), np.float32)
    assert products.product(x, x + 1)[0, 0] == 512


@known
def test_trial_that_others_disturb_is_repeated(taken, monkeypatch):
    dot = np.dot

    def disturbed(a, b, out=None):
        with products.blas_threads(1):
            return dot(a, b, out)

    monkeypatch.setattr(products, "_known", {})
    x = np.ones((256, 256), np.float32)
    with monkeypatch.context() as patch:
        patch.setattr(np, "dot", disturbed)
        assert products.pieces_on_fewer_threads(x, x + 1) == (2, ())
    assert products._known == {}


@known
def test_products_of_other_kinds_keep_all_threads(taken):
    x = np.ones((1024, 1024), np.float32)
    for a, b in (
        (x, x.T), (x[:1], x), (x, x[:, :1]), (x, x.astype("d")), (x.astype(int),) * 2
    ):  # fmt: skip
        assert products.pieces_on_fewer_threads(a, b)[1] == ()


def test_plain_kernels_keep_all_threads(taken):
    x = np.ones((256, 256), np.float32)
    with torch.config.kernels("plain"):
        assert products.pieces_on_fewer_threads(x, x + 1) == (1, ())


def test_blocks_of_several_threads_are_halved_at_the_end():
    assert products.several_blocks(300, 320) == ((0, 300),)
    assert products.several_blocks(501, 320) == ((0, 251), (251, 501))
    assert products.several_blocks(960, 320) == ((0, 320), (320, 640), (640, 960))


@known
def test_pool_works_in_one_thread_while_the_core_is_taken(taken):
    ran = []
    thread_pool.parallel_for(
        lambda i: ran.append((i, torch.get_num_threads())), 4, uses_blas=True
    )
    assert ran == [(i, 1) for i in range(4)]
    assert torch.get_num_threads() == 2
