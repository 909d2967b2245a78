"""The same program gives the same bits, whatever the cache of compiled kernels holds."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

PROGRAM = """
import hashlib
import edutorch as torch

torch.manual_seed(0)
x, labels = torch.randn(16, 20), torch.randint(0, 10, (16,))
net = torch.nn.Sequential(
    torch.nn.Linear(20, 40), torch.nn.ReLU(), torch.nn.Linear(40, 10)
)
momentum = torch.optim.SGD(net[0].parameters(), lr=0.1, momentum=0.9)
adam = torch.optim.Adam(net[2].parameters())
bits = hashlib.sha256()
for _ in range(200):
    loss = torch.nn.functional.cross_entropy(net(x), labels)
    net.zero_grad()
    loss.backward()
    momentum.step()
    adam.step()
    bits.update(loss.detach().numpy().tobytes())
for p in net.parameters():
    bits.update(p.detach().numpy().tobytes())
print(bits.hexdigest())
"""
WARM = (
    "from edutorch.kernels import warmup; (warmup.cache_folder() / 'complete').touch()"
)


def run(program, mode, cache):
    environment = {
        **os.environ,
        "EDUTORCH_KERNELS": mode,
        "NUMBA_CACHE_DIR": str(cache),
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    return done.stdout


def test_training_without_compiled_kernels_twice_gives_the_same_bits(tmp_path):
    for mode in ("plain", "auto"):
        assert run(PROGRAM, mode, tmp_path) == run(PROGRAM, mode, tmp_path)
    assert not list(tmp_path.iterdir())  # nothing was compiled by the way


@pytest.mark.skipif(find_spec("numba") is None, reason="needs Numba")
def test_training_with_a_cold_and_a_warm_cache_gives_the_same_bits(tmp_path):
    uncompiled = run(PROGRAM, "auto", tmp_path)
    cold = run(PROGRAM, "fast", tmp_path)  # compiles what it needs
    assert run(PROGRAM, "fast", tmp_path) == cold
    # As long as not all kernels are compiled, "auto" uses none of them.
    assert run(PROGRAM, "auto", tmp_path) == uncompiled
    run(WARM, "auto", tmp_path)  # as `python -m edutorch warmup` leaves it
    assert run(PROGRAM, "auto", tmp_path) == cold != uncompiled
