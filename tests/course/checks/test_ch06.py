from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed, check
from tests.course.solutions import ch06

SOLUTIONS = {
    "06.1": ch06.log_softmax,
    "06.2": (ch06.cross_entropy, ch06.cross_entropy_gradient),
    "06.3": ch06.bce_with_logits,
    "06.4": ch06.smooth_cross_entropy,
    "06.5": ch06.masked_mean,
    "06.6": ch06.weighted_cross_entropy,
}
ROWS = torch.tensor([[2.0, 1.0, 0.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def near(got, *want):
    torch.testing.assert_close(got, torch.tensor(want), rtol=0, atol=6e-5)


def test_examples_of_softmax_and_cross_entropy_hold():
    near(ch06.log_softmax(ROWS[0]), -0.4076, -1.4076, -2.4076)
    near(ch06.log_softmax(torch.tensor([1000.0, 0.0])), 0.0, -1000.0)
    labels = torch.tensor([0, 2])
    near(ch06.cross_entropy(ROWS, labels).reshape(1), 0.7531)
    gradient = ch06.cross_entropy_gradient(ROWS, labels)
    near(gradient[0], -0.1674, 0.1224, 0.0450)
    near(gradient[1], 0.1667, 0.1667, -0.3333)


def test_examples_of_the_other_losses_hold():
    logits = torch.tensor([0.0, 2.0, 1000.0, -1000.0])
    targets = torch.tensor([1.0, 0.0, 0.0, 1.0])
    near(ch06.bce_with_logits(logits, targets), 0.6931, 2.1269, 1000.0, 1000.0)
    near(ch06.smooth_cross_entropy(ROWS[:1], torch.tensor([0]), 0.3).view(1), 0.7076)
    rows, weights = torch.tensor([[0.0, 0.0], [2.0, 0.0]]), torch.tensor([1.0, 3.0])
    weighted = ch06.weighted_cross_entropy(rows, torch.tensor([0, 1]), weights)
    near(weighted.view(1), 1.7685)


def test_example_of_the_masked_mean_holds_with_its_gradient():
    losses = torch.tensor([1.0, 5.0, 3.0], requires_grad=True)
    mean = ch06.masked_mean(losses, torch.tensor([True, False, True]))
    mean.backward()
    assert mean.item() == 2
    assert losses.grad.tolist() == [0.5, 0.0, 0.5]
    unknown = torch.tensor([2.0, float("nan")])
    assert ch06.masked_mean(unknown, torch.tensor([True, False])).item() == 2


def test_check_of_one_function_of_two_asks_for_both():
    with pytest.raises(CheckFailed, match="expects 2 things"):
        check("06.2", ch06.cross_entropy)
