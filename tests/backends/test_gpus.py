"""Finding GPUs: by the environment, by CuPy, or none."""

from __future__ import annotations

import os
import subprocess
import sys

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


def test_use_can_be_undone():
    before = gpus.gpus()
    token = gpus.use("mine")
    assert gpus.gpus() == "mine"
    gpus.restore(token)
    assert gpus.gpus() is before
