from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import check
from tests.course.solutions import ch11

SOLUTIONS = {
    "11.1": ch11.rnn,
    "11.2": ch11.gradient_of_w,
    "11.3": ch11.lstm_step,
    "11.4": (ch11.batch_sizes, ch11.pack),
    "11.5": (ch11.last_valid, ch11.masked_loss),
    "11.6": ch11.pick,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def test_examples_of_the_cells_hold():
    one, zero = torch.ones(1, 1), torch.zeros(1, 1)
    x = torch.tensor([[[1.0]], [[0.0]]])
    states = ch11.rnn(x, zero, one, one, torch.zeros(1))
    assert states.flatten().tolist() == pytest.approx([0.762, 0.642], abs=1e-3)
    halves, g = torch.full((3, 1, 1), 0.5), torch.tensor([[[0.0]], [[1.0]]])
    assert ch11.gradient_of_w(halves, g, 2 * one).item() == pytest.approx(0.9375)
    w_x = torch.tensor([[0.0], [0.0], [1.0], [0.0]])
    h, c = ch11.lstm_step(one, zero, 2 * one, w_x, torch.zeros(4, 1), torch.zeros(4))
    assert (h.item(), c.item()) == pytest.approx((0.441, 1.381), abs=1e-3)


def test_examples_of_lengths_hold():
    steps = torch.tensor([[[1.0], [4.0]], [[2.0], [5.0]], [[3.0], [6.0]]])
    assert ch11.batch_sizes([3, 1]) == [2, 1, 1]
    assert ch11.pack(steps, [3, 1]).flatten().tolist() == [1, 4, 2, 3]
    assert ch11.last_valid(steps, [3, 1]).flatten().tolist() == [3, 4]


def test_examples_of_sampling_hold():
    scores = torch.tensor([0.0, 1.0, 2.0])
    shares = scores.softmax(0).tolist()
    assert shares == pytest.approx([0.09, 0.245, 0.665], abs=1e-3)
    cold = (scores / 0.5).softmax(0).tolist()
    assert cold == pytest.approx([0.016, 0.117, 0.867], abs=1e-3)
    assert [ch11.pick(scores, t, 0.3) for t in (1.0, 0.5)] == [1, 2]
