"""Sobol points are PyTorch's."""

from __future__ import annotations

import pytest

import edutorch
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def points(torch):
    make = torch.quasirandom.SobolEngine
    seeded = make(4, scramble=True, seed=3)
    torch.manual_seed(5)
    usual = make(3, scramble=True)
    skipped = make(3).fast_forward(9)
    return [
        make(2).draw(5), seeded.draw(3), seeded.draw(), seeded.fast_forward(5).draw(2),
        usual.draw(4), usual.shift, skipped.draw(2), make(50).draw(40)[-3:],
        make(2).draw_base2(3, dtype=torch.float64), seeded.reset().draw(2),
        make(2).draw(2, out=torch.empty(0)), repr(seeded), repr(make(2)),
        make(1111).sobolstate.sum(), seeded.num_generated, seeded.quasi,
    ]  # fmt: skip


@programs.add
def refusals(torch):
    make = torch.quasirandom.SobolEngine
    return [
        attempt(lambda: make(0)), attempt(lambda: make(21202)),
        attempt(lambda: make(2).fast_forward(1).draw_base2(2)),
    ]  # fmt: skip


programs.test()


def test_points_fill_the_square_evenly():
    found = edutorch.quasirandom.SobolEngine(2).draw(256)
    cells = (found * 16).long()
    assert (cells[:, 0] * 16 + cells[:, 1]).unique().numel() == 256
    assert found.mean().item() == pytest.approx(0.5, abs=0.01)
