"""Grids of places to look at."""

import pytest

import edutorch
import edutorch.nn.functional as F
from tests.ops.cases import alike, derivatives, refused

FLAT = "a.reshape(1, 2, 3)"
DEEP = "w3.reshape(-1)[:12].reshape(1, 3, 4)"

CASES = [
    f"F.affine_grid({FLAT}, (1, 1, 2, 3), False)",
    f"F.affine_grid({FLAT}, (1, 1, 2, 3), True)",
    f"F.affine_grid({FLAT}, (1, 1, 1, 1), True)",
    f"F.affine_grid({DEEP}, (1, 2, 2, 1, 3))",
    f"F.affine_grid({FLAT}.detach().half(), (1, 1, 2, 2))",
    f"torch.affine_grid_generator({FLAT}, (1, 1, 2, 3), False)",
]

REFUSED = [
    f"F.affine_grid({FLAT}, (2.0, 1, 2, 3))",
    f"F.affine_grid({FLAT}, (2, 1, 2, 3))",
    f"F.affine_grid({FLAT}, (1, 1, 2, 3, 4))",
    f"F.affine_grid({FLAT}, (1, 1, 2))",
    f"F.affine_grid({FLAT}, (1, 1, 0, 3))",
    f"F.affine_grid({FLAT}.int(), (1, 1, 2, 3))",
    "F.affine_grid(a, (1, 1, 2, 3))",
]


@pytest.mark.parametrize("case", CASES)
def test_affine_grid_equals_pytorch(case):
    alike(__file__, case)


def test_affine_grid_derivatives_equal_differences():
    derivatives(CASES[0])


@pytest.mark.parametrize("case", REFUSED)
def test_affine_grid_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("name", ["affine_grid", "grid_sample"])
def test_align_corners_that_nobody_says_is_warned_of(name):
    theta = edutorch.zeros(1, 2, 3)
    call = {
        "affine_grid": lambda: F.affine_grid(theta, (1, 1, 2, 2)),
        "grid_sample": lambda: F.grid_sample(
            edutorch.zeros(1, 1, 2, 2), edutorch.zeros(1, 2, 2, 2)
        ),
    }[name]
    with pytest.warns(UserWarning, match=f"documentation of {name} for details"):
        call()
