"""Gradient norms by layer and step."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

import edutorch as torch
from edutorch import events, nn, optim
from edutorch.inspect import GradientRecorder, Rules
from edutorch.inspect.gradients import ROWS, _Series, norms_of
from tests.inspect.models import TRAININGS, Gan


class Model:
    """Something with named parameters."""

    def __init__(self, **parameters):
        self.parameters = parameters

    def named_parameters(self):
        return list(self.parameters.items())


def step(w, scale):
    w.grad = None
    (w * scale).sum().backward()
    events.next_step()


def test_series_when_steps_end_holds_the_exact_norms():
    w = torch.ones(4, requires_grad=True)
    model = Model(w=w, unused=torch.ones(2, requires_grad=True))
    with GradientRecorder(model) as recorder:
        for scale in (1.0, 3.0):
            step(w, scale)
    series = recorder.series()
    assert series["layers"] == ["w"]
    assert series["norms"] == [[2.0], [6.0]]
    assert series["steps"][1] == series["steps"][0] + 1


def test_series_when_long_is_thinned_and_marks_stay():
    w = torch.ones(1, requires_grad=True)
    model = Model(w=w)
    with GradientRecorder(model) as recorder:
        for i in range(ROWS * 3):
            step(w, 1e-9 if i == 777 else 1.0)
    series = recorder.series()
    assert len(series["steps"]) <= ROWS
    assert series["stride"] == 4
    assert [m["kind"] for m in series["marks"]] == ["vanishing"]
    assert all(s % 4 == 0 for s in series["steps"])


def test_series_when_read_while_a_step_is_taken_in_is_whole_and_not_the_last():
    seen = []

    class Read(dict):
        """Norms of a step during which another thread looks."""

        def get(self, layer):
            seen.append(series.data())
            return super().get(layer)

    series = _Series(Rules())
    a, b = (0, "", "a"), (0, "", "b")
    for k in range(ROWS + 1):
        series.add(k, Read({a: 1.0}) if k else {a: 1.0, b: 1.0})
        assert len(seen) == 2 * k  # each is followed by another revision
        assert all(data["rev"] < series.rev for data in seen)
    for data in seen:
        assert len(data["steps"]) == len(data["norms"])
        assert {len(row) for row in data["norms"]} == {2}


@pytest.mark.parametrize(
    ("norm", "kind", "rule"),
    [
        (3.1e-9, "vanishing", "norm 3.1e-09 < 1e-07"),
        (5e4, "exploding", "norm 5e+04 > 1e+04"),
        (math.nan, "nonfinite", "norm is nan"),
        (math.inf, "nonfinite", "norm is inf"),
        (0.0, "vanishing", "norm 0 < 1e-07"),
    ],
)
def test_judge_when_a_threshold_is_crossed_states_the_rule(norm, kind, rule):
    assert Rules().judge(norm, []) == (kind, rule)


def test_judge_when_the_norm_jumps_compares_with_the_usual():
    verdict = Rules(jump=100).judge(500.0, [1.0] * 8)
    assert verdict == ("exploding", "norm 5e+02 > 100 x median 1")
    assert Rules(jump=0).judge(500.0, [1.0] * 8) is None
    assert Rules().judge(1.0, [1.0] * 8) is None


def test_marks_when_a_layer_stays_bad_are_made_once():
    w = torch.ones(1, requires_grad=True)
    model = Model(w=w)
    with GradientRecorder(model) as recorder:
        for scale in (1.0, 1e-9, 1e-9, 1.0, 1e-9):
            step(w, scale)
    assert len(recorder.series()["marks"]) == 2


def test_marks_when_a_norm_wavers_around_the_threshold_are_made_once():
    w = torch.ones(1, requires_grad=True)
    model = Model(w=w)
    with GradientRecorder(model) as recorder:
        for scale in (1.0, 0.9e-7, 1.1e-7, 0.9e-7, 2e-7, 0.9e-7):
            step(w, scale)
    assert len(recorder.series()["marks"]) == 1


def test_series_when_a_gradient_is_not_finite_has_none_and_a_mark():
    w = torch.ones(2, requires_grad=True)
    model = Model(w=w)
    with GradientRecorder(model) as recorder:
        step(w, float("nan"))
    series = recorder.series()
    assert series["norms"] == [[None]]
    assert series["marks"][0]["kind"] == "nonfinite"


def test_series_when_no_model_is_given_uses_summaries():
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    events.names[events.tensor_id(w)] = "w"
    with GradientRecorder() as recorder:
        (w * w / 2).sum().backward()
        events.next_step()
    assert recorder.series()["norms"] == [[5.0]]


def test_recorder_when_given_a_model_does_not_keep_it_alive():
    model = Model(w=torch.ones(1, requires_grad=True))
    recorder = GradientRecorder(model).open()
    del model
    events.next_step()
    assert recorder.series()["steps"] == []
    recorder.close()


def test_norms_when_squares_overflow_are_still_right():
    big = np.full(4, 1e30, np.float32)
    half = np.full(4, 300, np.float16)
    complex_ = np.array([3 + 4j])
    assert norms_of([big, half, complex_]) == pytest.approx([2e30, 600, 5])


@pytest.mark.parametrize("scale", [1e-10, 1e-19, 1e-23, 1e-40])
def test_norms_when_squares_underflow_are_still_right(scale):
    single = np.full(8, scale, np.float32)
    double = np.full((2, 4), scale**5)
    exact = [math.sqrt(8) * float(g.flat[0]) for g in (single, double)]
    assert norms_of([single, double]) == pytest.approx(exact, rel=1e-5, abs=0)


def test_norms_of_zeros_and_of_nothing_are_zero():
    assert norms_of([np.zeros(3, np.float32), np.zeros((0, 2))]) == [0, 0]


def test_series_when_two_optimizers_take_turns_has_what_each_of_them_used():
    gan, used = Gan(), []
    with (
        GradientRecorder(gan.critic) as of_critic,
        GradientRecorder(gan.generator, "test.generator") as of_generator,
    ):
        for _ in range(3):
            used.append({})
            for name in ("critic", "generator"):
                noted(gan, name, used[-1])
            gan.step()
    for name, recorder in (("critic", of_critic), ("generator", of_generator)):
        series = recorder.series()
        assert series["steps"] == [0, 1, 2]
        for row, by_hand in zip(series["norms"], used, strict=True):
            assert row == pytest.approx(by_hand[name], rel=1e-3)


def noted(gan, name, found):
    """Note the norms of a model's gradients, by hand, as its optimizer begins."""
    parameters = list(getattr(gan, name).parameters())

    def before(*_):
        norms = [math.sqrt((p.grad.double() ** 2).sum().item()) for p in parameters]
        found[name] = norms
        handle.remove()

    handle = getattr(gan, f"of_{name}").register_step_pre_hook(before)


@pytest.mark.parametrize("name", ["mlp", "cnn", "lstm", "transformer"])
def test_series_when_a_model_trains_has_the_norms_of_its_gradients(name):
    training, by_hand = TRAININGS[name](), []
    with GradientRecorder(training.model) as recorder:
        for _ in range(3):
            training.step()
            by_hand.append(
                [p.grad.double().pow(2).sum().sqrt().item()
                 for p in training.model.parameters()]
            )  # fmt: skip
    series = recorder.series()
    assert series["layers"] == [name for name, _ in training.model.named_parameters()]
    for row, norms in zip(series["norms"], by_hand, strict=True):
        assert row == pytest.approx(norms, rel=1e-3, abs=1e-6)


def test_series_after_a_failed_step_and_a_rest_has_the_norms_of_the_next():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    by_hand, shown = [], []
    with GradientRecorder(called=True, name="test.failed") as recorder:
        for i in range(4):
            optimizer.zero_grad()
            scores = model(torch.randn(5, 3))
            if i == 2:
                scores.sum().backward()  # a step that is never taken
                shown.append(recorder.series()["steps"])
                with pytest.raises(RuntimeError):
                    scores @ torch.ones(3)
                continue
            (scores**2).sum().backward()
            by_hand.append([np.linalg.norm(p.grad.numpy()) for p in model.parameters()])
            optimizer.step()
        time.sleep(0.05)
        rested = recorder.series()
    assert shown == [[0, 1]]
    assert np.allclose(rested["norms"], by_hand, rtol=1e-3)
    assert recorder.series()["norms"] == rested["norms"]


def test_parameters_of_several_models_are_named_after_theirs():
    torch.manual_seed(0)
    first = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    second = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1), nn.Linear(1, 1))
    with GradientRecorder(called=True, name="test.several") as recorder:
        first(torch.ones(1, 2)).sum().backward()
        optim.SGD(first.parameters(), lr=0.1).step()
        alone = recorder.series()
        first.zero_grad()
        with torch.no_grad():
            second[0].weight.fill_(0.0)  # no gradient goes back
        second(first(torch.ones(1, 2))).sum().backward()
        optim.SGD(second.parameters(), lr=0.1).step()
        events.next_step()
    both = recorder.series()
    own = [name for name, _ in first.named_parameters()]
    assert alone["layers"] == own
    assert both["layers"] == [f"Sequential.{name}" for name in own] + [
        f"Sequential_2.{name}" for name, _ in second.named_parameters()
    ]
    assert {mark["layer"] for mark in both["marks"]} <= set(both["layers"])
    assert "Sequential.0.weight" in {mark["layer"] for mark in both["marks"]}


def test_models_that_the_program_calls_are_watched_without_naming_them():
    torch.manual_seed(0)
    generator, critic = nn.Linear(2, 2), nn.Linear(2, 1)
    optimizers = [optim.SGD(m.parameters(), lr=0.1) for m in (generator, critic)]
    norms = []
    with GradientRecorder(called=True, name="test.called") as recorder:
        for _ in range(3):
            for optimizer in optimizers:
                optimizer.zero_grad()
            critic(generator(torch.ones(4, 2))).sum().backward()
            for optimizer in optimizers:
                optimizer.step()
            parameters = [*generator.parameters(), *critic.parameters()]
            norms.append([p.grad.norm().item() for p in parameters])
    series = recorder.series()
    names = ["Linear.weight", "Linear.bias", "Linear_2.weight", "Linear_2.bias"]
    assert series["layers"] == names
    assert np.allclose(series["norms"], norms, rtol=1e-3)  # four digits are kept
