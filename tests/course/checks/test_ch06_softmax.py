from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks import ch06_softmax as rules
from tests.course.solutions import ch06
from tests.oracle import torch as oracle


def rows_of(seed):
    generator = oracle.Generator().manual_seed(seed)
    logits = 3 * oracle.randn(4, 3, generator=generator)
    return logits, oracle.randint(0, 3, (4,), generator=generator)


@pytest.mark.parametrize("seed", range(3))
def test_gradient_of_the_check_is_pytorchs(seed):
    logits, labels = rows_of(seed)
    logits.requires_grad_()
    oracle.nn.functional.cross_entropy(logits, labels).backward()
    ours = rules._gradient(torch.tensor(logits.tolist()), torch.tensor(labels.tolist()))
    assert ours.flatten().tolist() == pytest.approx(
        logits.grad.flatten().tolist(), abs=1e-6
    )


@pytest.mark.parametrize(
    ("grade", "known"),
    [
        (rules.grade_log_softmax, rules.LOG_MISTAKES),
        (rules.grade_cross_entropy, rules.LOSS_MISTAKES),
        (rules.grade_gradient, rules.GRADIENT_MISTAKES),
    ],
    ids=["log_softmax", "cross_entropy", "gradient"],
)
def test_every_known_mistake_is_refused(grade, known):
    for mistaken in known.values():
        with pytest.raises(CheckFailed):
            grade(mistaken)


def test_answer_with_more_rounding_than_the_librarys_is_accepted():
    def log_softmax(logits):
        most = logits.amax(-1, keepdim=True)
        return logits - (most + (logits - most).exp().sum(-1, keepdim=True).log())

    rules.grade_log_softmax(log_softmax)


def test_library_called_inside_a_learners_own_function_is_heard():
    def log_softmax(logits):
        return helper(logits)

    def helper(logits):
        return torch.log_softmax(logits, -1)

    with pytest.raises(CheckFailed, match="forbids"):
        rules.grade_log_softmax(log_softmax)


def test_own_log_softmax_is_not_taken_for_the_librarys():
    def log_softmax(logits):
        return ch06.log_softmax(logits)

    rules.grade_log_softmax(log_softmax)
