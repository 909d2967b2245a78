"""Finding GPUs: by the environment, by CuPy, or none."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from edutorch.backends import gpus


def test_environment_asks_for_simulated_gpus():
    code = (
        "import edutorch as t; print(t.ones(1).to('cuda').device, t.cuda.device_count(),"
        " t.cuda.get_device_properties(1).total_memory)"
    )
    env = {**os.environ, "EDUTORCH_SIMULATE": "2x8MB"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["cuda:0", "2", str(8 * 2**20)]


@pytest.mark.parametrize(
    ("spec", "devices", "memory", "kind"),
    [
        ("3x1GB:A100", 3, 2**30, "A100"),
        ("2x:laptop", 2, 8 * 2**30, "laptop"),
        ("1:t4", 1, 16 * 2**30, "T4"),
        ("4", 4, 512 * 2**20, None),
    ],
)
def test_environment_may_name_the_kind_of_gpu(monkeypatch, spec, devices, memory, kind):
    monkeypatch.setenv("EDUTORCH_SIMULATE", spec)
    monkeypatch.setattr(gpus, "_looked", False)
    monkeypatch.setattr(gpus, "_found", None)
    found = gpus.gpus()
    assert gpus.simulated_now() is found and len(found.allocators) == devices
    assert found.allocators[0].capacity == memory
    assert (found.kind and found.kind.name) == kind


def test_use_can_be_undone():
    before = gpus.gpus()
    token = gpus.use("mine")
    assert gpus.gpus() == "mine"
    gpus.restore(token)
    assert gpus.gpus() is before
