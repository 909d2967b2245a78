"""Which cells of a buffer a view sees."""

from __future__ import annotations

import json

import numpy as np
import pytest

import edutorch as torch
from edutorch.inspect import summarize
from edutorch.widgets.memory_cells import cells_of_view
from tests.widgets.shared_fixtures import FIXTURES

SHARED = json.loads((FIXTURES / "tensor" / "colours_and_cells.json").read_text())


@pytest.mark.parametrize("case", SHARED["cells"], ids=lambda c: str(c["view"]["shape"]))
def test_cells_agree_with_the_browser(case):
    assert cells_of_view(case["view"], 600, 100) == case["lit"]


@pytest.mark.parametrize(
    "cut",
    [
        lambda x: x.t(),
        lambda x: x[1:, ::2],
        lambda x: x.diagonal(),
        lambda x: x[:, 3],
        lambda x: x[2, 3],
        lambda x: x.expand(2, 5, 6),
        lambda x: x[:0],
    ],
)
def test_cells_are_those_that_writing_to_the_view_changes(cut):
    base = torch.zeros(5, 6)
    view = cut(base)
    lit = cells_of_view(summarize(view)["memory"]["views"][0], 30, 128)
    view.detach().fill_(1) if view.numel() <= 30 else base.fill_(1)
    assert lit == (base.numpy().reshape(-1) == 1).tolist()


def test_cells_of_a_long_buffer_are_parts_of_it():
    view = {"shape": [1000], "strides": [1], "offset": 9000}
    lit = np.array(cells_of_view(view, 10_000, 100))
    assert lit[90:].all()
    assert not lit[:90].any()
