from __future__ import annotations

import json

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.course.interactions.replica_board import (
    BATCH,
    LAST,
    ReplicaBoard,
    board,
    local_gradients,
)
from tests.widgets.shared_fixtures import FIXTURES

STORED = json.loads((FIXTURES / "replica_board" / "boards.json").read_text())


@pytest.mark.parametrize("case", STORED["cases"], ids=lambda case: str(case["step"]))
def test_board_is_that_of_the_page(case):
    made = board(case["step"])
    assert len(made.values) == len(case["values"])
    for row, want in zip(made.values, case["values"], strict=True):
        assert row == pytest.approx(want, rel=1e-7)
    assert made.parts == case["parts"]
    assert [list(send) for send in made.sends] == case["sends"]
    assert made.said == case["said"]


def test_batch_is_that_of_the_page():
    assert [list(row) for row in BATCH] == STORED["batch"]


def test_gradients_are_those_of_backward_on_each_part_and_on_one_device():
    rows = torch.tensor(BATCH, dtype=torch.float64)
    model = nn.Linear(4, 1, bias=False, dtype=torch.float64)

    def gradient(part):
        model.zero_grad()
        nn.init.constant_(model.weight, 0.1)
        (0.5 * (model(part[:, :4]).squeeze(1) - part[:, 4]) ** 2).mean().backward()
        return model.weight.grad[0].tolist()

    for part, found in zip(rows.chunk(4), local_gradients(), strict=True):
        assert found == pytest.approx(gradient(part))
    for row in board(LAST).values:
        assert row == pytest.approx(gradient(rows))


@pytest.mark.parametrize("step", range(LAST + 1))
def test_picture_and_text_say_what_has_happened(step):
    view = ReplicaBoard(step)
    assert board(step).said in view.text()
    assert board(step).said in view.picture().svg()
    assert view.text().count("replica ") >= 4


def test_step_that_the_board_lacks_is_refused():
    with pytest.raises(ValueError, match="step is from 0 to 8"):
        ReplicaBoard(9)
