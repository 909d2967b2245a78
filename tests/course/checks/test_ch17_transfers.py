from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch17_transfers import _WAYS, _model, train_on
from edutorch.course.random_cases import draws
from tests.course.solutions import ch17


def fetching(device, model, x, y, steps, lr):
    losses = ch17.train_on(device, model, x, y, steps, lr).to(device)
    return torch.tensor([loss.item() for loss in losses])


def on_the_cpu(device, model, x, y, steps, lr):
    return ch17.train_on("cpu", model, x, y, steps, lr)


def brought_back(device, model, x, y, steps, lr):
    losses = ch17.train_on(device, model, x, y, steps, lr)
    model.to("cpu")
    return losses


def sent_each_time(device, model, x, y, steps, lr):
    for _ in range(steps):
        x.to(device)
    return ch17.train_on(device, model, x, y, steps, lr)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (fetching, "fetch each loss alone"),
        (on_the_cpu, "ran on the CPU"),
        (brought_back, "such as the model"),
        (sent_each_time, "in every step"),
    ],
)
def test_copies_too_many_are_refused_with_their_cause(answer, words):
    with pytest.raises(CheckFailed) as failure:
        train_on(answer)
    assert words in str(failure.value)


@pytest.mark.parametrize("words", [words for words in _WAYS if words])
def test_each_mistaken_training_has_other_losses(words):
    (draw,) = draws(1, ("float32",))
    model = _model(draw, 3, 2)
    x, y = draw.tensor(5, 3), draw.labels(5, 2)
    state = {name: value.clone() for name, value in model.state_dict().items()}
    right = _WAYS[""](model, x, y, 4, 0.3)
    model.load_state_dict(state)
    for p in model.parameters():
        p.grad = None
    other = _WAYS[words](model, x, y, 4, 0.3)
    assert right.shape != other.shape or not torch.allclose(right, other)


def test_gpus_are_as_before_when_the_check_has_ended():
    before = torch.cuda.is_available()
    train_on(ch17.train_on)
    assert torch.cuda.is_available() is before
