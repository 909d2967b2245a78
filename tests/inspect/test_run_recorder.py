"""Every number of a run, compared with what the program itself computes."""

from __future__ import annotations

import gc
import math
import threading
import weakref

import pytest

import edutorch as torch
from edutorch import events, nn, optim
from edutorch.inspect import RunRecorder
from edutorch.inspect import run_recorder as module


class Clock:
    """A clock that advances only when it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def by_name(recorder):
    return {s["name"]: s for s in recorder.series()["series"]}


def train(recorder, steps=6, accumulate=1):
    """Train, and account for loss, rate and update by hand."""
    torch.manual_seed(0)
    model = nn.Linear(3, 2)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    schedule = optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    account = []
    for _ in range(steps):
        optimizer.zero_grad()
        total = 0.0
        for _ in range(accumulate):
            loss = model(torch.randn(4, 3)).pow(2).mean() / accumulate
            loss.backward()
            total += loss.item()
        before = [p.detach().clone() for p in model.parameters()]
        rate = optimizer.param_groups[0]["lr"]
        optimizer.step()
        moved = sum(
            ((p.detach() - b) ** 2).sum().item()
            for p, b in zip(model.parameters(), before, strict=True)
        )
        size = sum((b**2).sum().item() for b in before)
        account.append((total, rate, math.sqrt(moved / size)))
        schedule.step()
        recorder.end_batch(4)
    return account


@pytest.mark.parametrize("accumulate", [1, 3])
def test_numbers_are_those_of_the_program(monkeypatch, accumulate):
    monkeypatch.setattr(module, "SHARE", math.inf)  # looks at each update
    with RunRecorder() as recorder:
        recorder.begin(6)
        account = train(recorder, accumulate=accumulate)
    found = by_name(recorder)
    for name, want in zip(
        ("loss", "lr", "update/weight"), zip(*account, strict=True), strict=True
    ):
        assert found[name]["steps"] == [0, 1, 2, 3, 4, 5]
        assert found[name]["values"] == pytest.approx(list(want), rel=1e-4)


@pytest.mark.parametrize("number", [1, 2])
def test_looks_at_updates_take_their_share_of_the_time(monkeypatch, number):
    clock, looks, sample = Clock(), [], module._sample_of

    def slow(parameter):
        clock.now += 1
        looks.append(parameter)
        return sample(parameter)

    monkeypatch.setattr(module, "_sample_of", slow)
    models = [nn.Linear(1, 1) for _ in range(number)]
    optimizers = [optim.SGD(model.parameters(), lr=0.1) for model in models]
    monkeypatch.setattr(module, "SHARE", 0.02)
    began, steps = clock.now, 3000
    with RunRecorder(clock=clock) as recorder:
        for _ in range(steps):
            for model, optimizer in zip(models, optimizers, strict=True):
                model(torch.ones(1)).sum().backward()
                optimizer.step()
            clock.now += 1
    share = len(looks) / (clock.now - began)
    assert module.SHARE / 2 < share <= module.SHARE * 1.2  # the first are free
    for model in models:  # no optimizer is left out
        mine = sum(looked is model.weight for looked in looks)
        assert mine == pytest.approx(len(looks) / 2 / number, rel=0.2)
    assert len(by_name(recorder)["update/weight"]["steps"]) < steps / 100


def test_speed_and_time_left_are_those_of_the_clock():
    clock = Clock()
    recorder = RunRecorder(clock=clock)
    recorder.begin(100)
    for _ in range(40):
        clock.now += 0.5
        recorder.end_batch(8)
    data = recorder.series()
    assert (data["rate"], data["unit"]) == (16.0, "samples/s")
    assert (data["elapsed"], data["left"], data["done"]) == (20.0, 30.0, 40)


def test_speed_of_the_last_seconds_forgets_a_slow_beginning():
    clock = Clock()
    recorder = RunRecorder(clock=clock)
    recorder.begin(None)
    for seconds in [5.0] * 3 + [0.2] * 100:
        clock.now += seconds
        recorder.end_batch()
    data = recorder.series()
    assert data["rate"] == pytest.approx(5.0)
    assert (data["unit"], data["left"]) == ("batches/s", None)


def test_speed_of_a_loop_that_is_short_is_a_sample_at_its_end():
    clock = Clock()
    recorder = RunRecorder(clock=clock)
    for _ in range(2):
        recorder.begin(2)
        for _ in range(2):
            clock.now += 0.015625
            recorder.end_batch(4)
        recorder.end()
    data = recorder.series()
    (speed,) = data["series"]
    assert (speed["name"], speed["steps"]) == ("samples/s", [1, 3])
    assert speed["values"] == [256.0, 256.0]
    assert speed["last"] == data["rate"] == 256.0


def test_passes_of_a_loop_go_on_in_one_run_and_time_between_does_not_count():
    clock = Clock()
    recorder = RunRecorder(clock=clock)
    for _ in range(2):
        recorder.begin(2)
        for _ in range(2):
            clock.now += 1.0
            recorder.end_batch()
        recorder.end()
        clock.now += 1000.0
    data = recorder.series()
    assert (data["passes"], data["step"], data["done"], data["rate"]) == (2, 4, 2, 1.0)
    assert (data["state"], data["elapsed"], data["left"]) == ("done", 2.0, None)


def test_two_optimizers_have_a_loss_and_a_rate_each():
    first, second = (nn.Parameter(torch.ones(1)) for _ in range(2))
    one, two = optim.SGD([first], lr=0.1), optim.SGD([second], lr=0.2)
    with RunRecorder() as recorder:
        recorder.begin()
        (first * 3).sum().backward()
        one.step()
        (second * 5).sum().backward()
        two.step()
        recorder.end_batch()
    last = {name: series["last"] for name, series in by_name(recorder).items()}
    assert (last["loss"], last["loss 2"]) == (3.0, 5.0)
    assert (last["lr"], last["lr 2"]) == (0.1, 0.2)


def test_loss_of_a_closure_is_that_at_its_first_call():
    w = nn.Parameter(torch.tensor([4.0]))
    optimizer = optim.LBFGS([w], max_iter=5)
    values = []

    def closure():
        optimizer.zero_grad()
        loss = (w**2).sum()
        loss.backward()
        values.append(loss.item())
        return loss

    with RunRecorder() as recorder:
        recorder.begin()
        optimizer.step(closure)
        recorder.end_batch()
    assert len(values) > 1
    assert by_name(recorder)["loss"]["last"] == values[0]


def test_loss_without_an_optimizer_is_that_of_the_batch():
    w = torch.ones(1, requires_grad=True)
    with RunRecorder() as recorder:
        recorder.begin()
        for _ in range(2):
            (w * 2).sum().backward()
            w.data -= 0.25 * w.grad
            w.grad = None
            recorder.end_batch()
    assert by_name(recorder)["loss"]["values"] == [2.0, 1.0]


def test_without_a_loop_training_steps_count():
    w = nn.Parameter(torch.ones(1))
    optimizer = optim.SGD([w], lr=0.5)
    with RunRecorder() as recorder:
        for _ in range(3):
            optimizer.zero_grad()
            (w * 1).sum().backward()
            optimizer.step()
            recorder.log(w=w)
    found = by_name(recorder)
    assert found["loss"]["steps"] == found["w"]["steps"] == [0, 1, 2]
    assert found["w"]["values"] == [0.5, 0.0, -0.5]


def stepped(clock, optimizer, forward, times):
    """Steps that take the time of the clock, which the list accounts for."""
    for before, after in times:
        optimizer.zero_grad()
        loss = forward()
        clock.now += before
        loss.sum().backward()
        clock.now += after
        optimizer.step()


def test_elapsed_without_a_loop_has_the_first_step_in_it():
    clock, model = Clock(), nn.Linear(1, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.5)
    x = torch.ones(1)
    times = [(1.0, 0.125)] + [(0.25, 0.125)] * 11
    with RunRecorder(clock=clock) as recorder:
        clock.now += 1000.0
        model.eval()(x)
        model.train()(x)  # a trial, and then a rest
        clock.now += 1000.0
        began = clock.now
        stepped(clock, optimizer, lambda: model(x), times)
        spent = clock.now - began
        clock.now += 1000.0
        data = recorder.series()
    assert spent == 5.25
    assert (data["done"], data["elapsed"]) == (12, spent)
    assert data["rate"] == pytest.approx(12 / spent, rel=1e-5)


def test_elapsed_without_modules_has_the_first_forward_pass_in_it():
    clock, w = Clock(), nn.Parameter(torch.ones(1))
    optimizer = optim.SGD([w], lr=0.5)
    x = torch.ones(1) * 2  # data are no part of the step
    with RunRecorder(clock=clock) as recorder:
        x = x + 1
        clock.now += 1000.0
        stepped(clock, optimizer, lambda: w * x, [(2.0, 1.0), (2.0, 1.0)])
        data = recorder.series()
    assert data["done"] == 2
    assert data["elapsed"] == pytest.approx(6.0, abs=0.01)  # the op's own time is real
    assert data["rate"] == pytest.approx(2 / 6, rel=1e-2)


@pytest.mark.parametrize("rest", ["idle", "pause"])
def test_rest_between_steps_is_no_part_of_elapsed_and_speed(rest):
    clock, model = Clock(), nn.Linear(1, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.5)
    x = torch.ones(1)
    with RunRecorder(clock=clock) as recorder:
        for _ in range(2):
            events.control(rest, "end")
            stepped(clock, optimizer, lambda: model(x), [(0.25, 0.25)] * 4)
            events.control(rest, "begin")
            clock.now += 600.0  # the user reads
        data = recorder.series()
    assert (data["done"], data["elapsed"], data["rate"]) == (8, 4.0, 2.0)


def test_rest_before_the_loop_is_left_is_no_part_of_elapsed():
    clock = Clock()
    with RunRecorder(clock=clock) as recorder:
        recorder.begin(4)
        for _ in range(4):  # a generator that is advanced by hand, once in each cell
            clock.now += 1.0
            recorder.end_batch(8)
            events.control("idle", "begin")
            clock.now += 600.0
            events.control("idle", "end")
        data = recorder.series()
    assert (data["elapsed"], data["rate"], data["unit"]) == (4.0, 8.0, "samples/s")


def test_trial_in_an_earlier_cell_is_no_part_of_elapsed():
    clock, model = Clock(), nn.Linear(1, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.5)
    x = torch.ones(1)
    with RunRecorder(clock=clock) as recorder:
        model(x)
        clock.now += 1.0
        events.control("idle", "begin")
        clock.now += 600.0
        events.control("idle", "end")
        stepped(clock, optimizer, lambda: model(x), [(2.0, 1.0)])
        assert recorder.series()["elapsed"] == 3.0


def test_training_in_a_thread_goes_on_between_cells():
    clock, model = Clock(), nn.Linear(1, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.5)
    x = torch.ones(1)
    with RunRecorder(clock=clock) as recorder:
        events.control("idle", "begin")
        stepped(clock, optimizer, lambda: model(x), [(2.0, 1.0)] * 2)
        clock.now += 600.0
        events.control("idle", "end")
        assert recorder.series()["elapsed"] == 6.0


def test_modules_and_operations_are_heard_until_the_first_step_ends():
    model = nn.Linear(1, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.5)
    x = torch.ones(1)
    with RunRecorder() as recorder:
        assert events.hears_modules and events.active
        loss = model(x).sum()
        assert events.hears_modules and not events.active
        loss.backward()
        optimizer.step()
        assert not events.hears_modules and events.hears_roots
        assert recorder.series()["done"] == 1
    with RunRecorder() as recorder:
        recorder.begin()
        assert not events.hears_modules and not events.active


def test_what_runs_between_passes_is_no_part_of_the_run():
    w = nn.Parameter(torch.ones(1))
    optimizer = optim.SGD([w], lr=0.5)
    with RunRecorder() as recorder:
        recorder.begin()
        recorder.end_batch()
        recorder.end()
        (w * 1).sum().backward()
        optimizer.step()
    assert [s["name"] for s in recorder.series()["series"]] == ["batches/s"]
    assert recorder.series()["step"] == 1


def test_other_threads_are_no_part_of_the_run():
    def work():
        w = nn.Parameter(torch.ones(1))
        (w * 1).sum().backward()
        optim.SGD([w], lr=0.5).step()

    with RunRecorder(clock=Clock()) as recorder:
        recorder.begin()
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        recorder.end_batch()
    assert recorder.series()["series"] == []


def test_logged_loss_takes_the_place_of_the_recorders():
    w = nn.Parameter(torch.ones(1))
    optimizer = optim.SGD([w], lr=0.5)
    with RunRecorder() as recorder:
        recorder.begin()
        for _ in range(2):
            recorder.log(loss=7)
            (w * 1).sum().backward()
            optimizer.step()
            recorder.end_batch()
    assert by_name(recorder)["loss"]["values"] == [7.0, 7.0]


@pytest.mark.parametrize("wrong", ["high", torch.ones(2), None, [1.0], object()])
def test_logged_value_that_is_no_number_is_a_remark(wrong):
    recorder = RunRecorder()
    recorder.log(accuracy=wrong)
    data = recorder.series()
    assert data["series"] == []
    assert data["remarks"] == [
        f"log(accuracy=...): expected one number, got {type(wrong).__name__}"
    ]


def test_names_and_remarks_are_bounded():
    recorder = RunRecorder()
    for i in range(100):
        recorder.log(**{f"name{i}": 1.0})
    data = recorder.series()
    assert len(data["series"]) == module.METRICS
    assert len(data["remarks"]) == module.REMARKS


def test_optimizer_that_cannot_be_read_is_a_remark_and_the_step_is_made():
    w = nn.Parameter(torch.ones(1))
    optimizer = optim.SGD([w], lr=0.5)
    with RunRecorder() as recorder:
        recorder.begin()
        w.grad = torch.ones(1)
        optimizer.register_step_post_hook(
            lambda o, _args, _kwargs: o.param_groups[0].update(lr="fast")
        )
        optimizer.step()
        recorder.end_batch()
    assert w.item() == 0.5
    assert recorder.series()["remarks"][0].startswith("ValueError")


def test_recorder_keeps_no_tensor_and_no_optimizer_alive():
    model = nn.Linear(2, 2)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    with RunRecorder() as recorder:
        recorder.begin()
        loss = model(torch.ones(1, 2)).sum()
        loss.backward()
        optimizer.step()
        recorder.end_batch()
        dead = [weakref.ref(x) for x in (model.weight, loss, optimizer)]
        assert not recorder.optimizers_freed
        del model, optimizer, loss
        gc.collect()
        assert [d() for d in dead] == [None, None, None]
        assert recorder.optimizers_freed


def test_recorder_of_a_loop_makes_no_operation_an_event():
    with RunRecorder() as recorder:
        recorder.begin()
        assert events.active == () and events.hears_roots
    assert not events.hears_roots


def test_recorder_that_is_forgotten_stops_listening():
    recorder = RunRecorder().open()
    hooks = len(
        module.register_optimizer_step_pre_hook.__globals__["_global_pre_hooks"]
    )
    del recorder
    gc.collect()
    left = len(module.register_optimizer_step_pre_hook.__globals__["_global_pre_hooks"])
    assert (hooks - left, events.hears_roots) == (1, False)
