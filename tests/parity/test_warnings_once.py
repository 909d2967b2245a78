"""How often a process shows a warning."""

import subprocess
import sys

import pytest

import edutorch
from tests.oracle import torch as oracle

PROGRAM = """
import importlib, sys, warnings
import numpy as np
torch = importlib.import_module(sys.argv[1])
F, x, v, one = torch.nn.functional, torch.ones(2, 3), torch.ones(3), torch.eye(2)
read_only = np.ones(3)
read_only.flags.writeable = False
calls = [
    lambda: torch.meshgrid(v, v),
    lambda: torch.ones(2, 3, 4).T,
    lambda: torch.tensor(1.0).mT,
    lambda: torch.tensor(1.0).H,
    lambda: torch.tensor(1.0).mH,
    lambda: torch.tensor(1j).to(torch.float32),
    lambda: torch.stft(torch.ones(9), 4, return_complex=True),
    lambda: torch.cholesky(one),
    lambda: torch.qr(one),
    lambda: torch.lu(one),
    lambda: torch.lu_solve(one, one, torch.tensor([1, 2], dtype=torch.int32)),
    lambda: torch.triangular_solve(one, one),
    lambda: torch.chain_matmul(one, one),
    lambda: torch.cross(x, x),
    lambda: torch.frombuffer(bytes(8), dtype=torch.float32),
    lambda: torch.from_numpy(read_only),
    lambda: torch.add(v, v, out=torch.empty(5)),
    lambda: (v.clone().requires_grad_() * 2).grad,
    lambda: torch.ones(1).var(),
    lambda: F.mse_loss(v, x),
    lambda: F.softmax(x),
    lambda: torch.tensor(v),
    lambda: F.sigmoid(v),
    lambda: torch.range(0, 3),
    lambda: v[torch.tensor([1, 0, 1], dtype=torch.uint8)],
]
for call in calls:
    counts = []
    for _ in range(2):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            call()
        counts.append(sum(w.category is not RuntimeWarning for w in seen))
    print(*counts)
"""


def test_warnings_come_once_or_always_as_in_pytorch():
    mine, theirs = (
        subprocess.run(
            [sys.executable, "-c", PROGRAM, library.__name__],
            capture_output=True, text=True, check=True,
        ).stdout.split("\n")
        for library in (edutorch, oracle)
    )  # fmt: skip
    assert mine == theirs


def test_all_warnings_come_again_if_the_program_wants_them():
    x = edutorch.ones(3)
    edutorch.set_warn_always(True)
    try:
        for _ in range(2):
            with pytest.warns(UserWarning, match="indexing argument"):
                edutorch.meshgrid(x, x)
    finally:
        edutorch.set_warn_always(False)
