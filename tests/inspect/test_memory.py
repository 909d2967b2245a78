"""Bytes by category and device."""

from __future__ import annotations

import contextlib
import gc
import time

import pytest

import edutorch as torch
from edutorch import events
from edutorch.inspect import MemoryRecorder
from edutorch.inspect.memory import device_kind, peak_device
from tests.inspect.ledger import listening
from tests.inspect.models import TRAININGS, mlp


def test_series_when_a_graph_is_held_splits_bytes_by_category():
    x = torch.ones(100, requires_grad=True)
    with MemoryRecorder() as memory:
        y = x * 2
        y.sum().backward()
        held = dict(
            zip(
                memory.series("cpu")["categories"],
                memory.series()["bytes"][-1],
                strict=False,
            )
        )
    assert held["gradient"] == 400
    assert held["activation"] == 400
    assert y is not None


def test_series_when_everything_died_is_back_to_nothing():
    with MemoryRecorder() as memory:
        x = torch.ones(1000) + 1
        del x
        series = memory.series("cpu")
    assert series["now"] == 0
    assert series["peak"] == 8000
    assert sum(series["bytes"][-1]) == 0


def test_series_when_opened_late_counts_what_others_know():
    with MemoryRecorder("test.early"):
        x = torch.ones(1000) + 1
        with MemoryRecorder("test.late") as late:
            assert late.series("cpu")["now"] >= x.untyped_storage().nbytes


def test_series_when_a_step_ends_has_a_mark():
    with MemoryRecorder() as memory:
        torch.ones(1) + 1
        events.next_step()
        events.mark("epoch 1")
    names = [mark["name"] for mark in memory.series()["marks"]]
    assert names[0].startswith("step ")
    assert names[1] == "epoch 1"


def test_series_when_steps_are_many_keeps_other_marks():
    with MemoryRecorder() as memory:
        torch.ones(1) + 1
        events.mark("epoch 1")
        for _ in range(300):
            events.next_step()
    names = [mark["name"] for mark in memory.series()["marks"]]
    assert names[0] == "epoch 1" and len(names) < 70
    assert sum(name.startswith("step ") for name in names) > 20


def test_series_when_a_gpu_is_full_has_a_mark():
    with torch.cuda.simulate(devices=1, memory="4MB"), MemoryRecorder() as memory:
        x = torch.ones(300, device="cuda:0")
        before = memory.series("cuda:0")["rev"]
        with pytest.raises(torch.cuda.OutOfMemoryError):
            torch.ones(2**21, device="cuda:0")
        marks = memory.series("cuda:0")["marks"]
    assert memory.series("cuda:0")["rev"] > before
    assert [m["name"] for m in marks] == ["out of memory on cuda:0: +8.00 MiB"]
    assert x.numel() == 300


def test_series_when_nothing_ran_is_empty():
    series = MemoryRecorder().series()
    assert series["t"] == []
    assert series["kind"] == "tensors on the CPU"


def test_series_when_on_a_simulated_gpu_says_so_and_agrees_with_its_books():
    with torch.cuda.simulate(devices=2, memory="64MB"), MemoryRecorder() as memory:
        x = torch.ones(300, device="cuda:1")
        y = x + 1
        series = memory.series()
        allocated = torch.cuda.memory_allocated("cuda:1")
    assert series["device"] == "cuda:1"
    assert series["kind"] == "simulated GPU"
    assert series["limit"] == 64 * 2**20
    assert series["reserved"] > 0
    assert series["now"] == allocated
    assert y is not None
    assert memory.series("cuda:1")["kind"] == "simulated GPU"  # also afterwards


def trained(steps, hold=None):
    model, held = torch.ones(100, requires_grad=True), []
    for step in range(steps):
        big = 100 if step == hold else 1
        held = [torch.ones(100) * 2 for _ in range(big)]
        (model * 2).sum().backward()
        model.grad = None
        events.next_step()
    return held


def test_series_when_steps_are_alike_shows_the_last_in_full():
    with MemoryRecorder() as memory:
        held = trained(4)
        (step,) = memory.series()["steps"]
    assert held
    assert step["name"] == "latest and peak"
    assert step["step"] == 3
    assert [p["name"] for p in step["phases"]][:2] == ["forward", "backward"]
    assert step["t"] == sorted(step["t"])
    assert 0 <= step["t"][-1] <= step["ms"]


def test_series_when_an_earlier_step_was_fuller_shows_both():
    with MemoryRecorder() as memory:
        trained(5, hold=2)
        series = memory.series()
    peak, latest = series["steps"]
    assert (peak["step"], peak["name"]) == (2, "peak")
    assert (latest["step"], latest["name"]) == (4, "latest")
    assert max(map(sum, peak["bytes"])) == series["peak"]


def test_series_when_no_step_has_ended_has_none():
    with MemoryRecorder() as memory:
        torch.ones(3) + 1
        assert memory.series()["steps"] == []


def test_device_kind_when_the_simulation_is_over_is_a_gpu():
    assert device_kind("cuda:7")[0] == "GPU"


def shown(series):
    """Bytes by category at each sample; those of no bytes are left out."""
    rows = [
        dict(zip(series["categories"], row, strict=True)) for row in series["bytes"]
    ]
    return [{name: n for name, n in row.items() if n} for row in rows]


@pytest.mark.parametrize("name", TRAININGS)
def test_series_when_a_model_trains_shows_moments_of_a_naive_ledger(name):
    with listening() as ledger, MemoryRecorder() as memory:
        training = TRAININGS[name]()
        for step in range(30):
            training.step()
            if step == 10:
                time.sleep(0.05)
        series = memory.series("cpu")
    true = {}
    first = ledger.moments()[0][0]
    for ns, row in ledger.moments():
        true.setdefault(round((ns - first) / 1e6, 3), []).append(row)
    wrong = [t for t, row in zip(series["t"], shown(series), strict=True)
             if row not in true.get(t, [])]  # fmt: skip
    assert wrong == []
    assert series["peak"] == ledger.peak() == max(map(sum, series["bytes"]))


@pytest.mark.parametrize("name", TRAININGS)
def test_series_when_on_a_simulated_gpu_agrees_with_its_allocator(name):
    with torch.cuda.simulate(devices=1, memory="64MB"), torch.device("cuda"):
        with MemoryRecorder() as memory:
            training = TRAININGS[name]()
            for _ in range(4):
                training.step()
                series = memory.series("cuda:0")
                assert series["now"] == torch.cuda.memory_allocated()
                assert series["peak"] == torch.cuda.max_memory_allocated()
        assert memory.series("cuda:0")["now"] == torch.cuda.memory_allocated()


def test_peak_when_gradients_come_from_replicas_is_that_of_the_allocators():
    with torch.cuda.simulate(devices=2, memory="64MB"), MemoryRecorder() as memory:
        layers = (torch.nn.Linear(8, 32), torch.nn.Linear(32, 300))
        model = torch.nn.DataParallel(torch.nn.Sequential(*layers).to("cuda:0"))
        optimizer = torch.optim.Adam(model.parameters())
        batch = torch.ones(6, 8, device="cuda:0")
        for _ in range(3):
            model(batch).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()
        for i in (0, 1):
            series = memory.series(f"cuda:{i}")
            assert series["now"] == torch.cuda.memory_allocated(i)
            assert series["peak"] == torch.cuda.max_memory_allocated(i)


def test_series_when_a_step_is_over_holds_what_can_be_counted_by_hand():
    with MemoryRecorder() as memory:
        training = mlp()
        training.step()
        training.step()
        (now,) = shown(memory.series("cpu"))[-1:]
    parameters = list(training.model.parameters())
    states = training.optimizer.state.values()
    held = [
        t for state in states for t in state.values() if isinstance(t, torch.Tensor)
    ]
    assert now["parameter"] == sum(p.numpy(force=True).nbytes for p in parameters)
    assert now["gradient"] == sum(p.grad.numpy().nbytes for p in parameters)
    assert now["optimizer"] == sum(t.numpy().nbytes for t in held)
    assert "activation" not in now


@pytest.mark.parametrize("device", ["cpu", "cuda:0"])
def test_gradients_that_a_program_retains_are_counted(device):
    with torch.cuda.simulate(), MemoryRecorder() as memory:
        w = torch.ones(128, device=device, requires_grad=True)
        y = w * 2
        y.retain_grad()
        (y * 3).sum().backward()
        (now,) = shown(memory.series(device))[-1:]
        assert now["gradient"] == w.grad.nbytes + y.grad.nbytes == 1024
        if device != "cpu":
            assert memory.series(device)["now"] == torch.cuda.memory_allocated()


def _hooked(kind, hook):
    """A small network on a GPU with one hook, of such a kind, at its second layer."""
    model = torch.nn.Sequential(
        torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 128),
        torch.nn.ReLU(), torch.nn.Linear(128, 4),
    ).to("cuda")  # fmt: skip
    layer = model[2]
    registers = {
        "forward": layer.register_forward_hook,
        "backward": layer.register_full_backward_hook,
        "backward pre": layer.register_full_backward_pre_hook,
        "gradient": layer.weight.register_hook,
        "accumulated": layer.weight.register_post_accumulate_grad_hook,
    }
    registers[kind](hook)
    return model


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize(
    "kind", ["forward", "backward", "backward pre", "gradient", "accumulated"]
)
def test_memory_of_a_gpu_where_a_hook_runs_agrees_with_the_allocator(kind, fails):
    steps = iter(range(9))

    def hook(*_):
        if next(steps) == 1 and fails:
            raise InterruptedError

    with torch.cuda.simulate(devices=1, memory="16MB"):
        model = _hooked(kind, hook)
        torch.cuda.reset_peak_memory_stats()
        with MemoryRecorder() as memory:
            for _ in range(3):
                x = torch.ones(64, 64, device="cuda")
                with contextlib.suppress(InterruptedError):
                    model(x).sum().backward()
                now = memory.series("cuda:0")["now"]
                assert now == torch.cuda.memory_allocated()
            peak = memory.series("cuda:0")["peak"]
            assert peak == torch.cuda.max_memory_allocated()


def test_marks_of_parallel_phases_leave_those_of_steps():
    with MemoryRecorder() as memory:
        torch.ones(1) + 1
        for _ in range(40):
            events.mark("scatter", "begin", "phase")
            events.mark("scatter", "end", "phase")
            events.next_step()
    names = [mark["name"] for mark in memory.series()["marks"]]
    assert names == [f"step {i}" for i in range(40)]


def test_gradients_that_are_part_of_a_graph_are_gradients():
    with MemoryRecorder() as memory:
        w = torch.ones(100, requires_grad=True)
        (w**3).sum().backward(create_graph=True)
        (now,) = shown(memory.series("cpu"))[-1:]
        assert now["gradient"] == 400
        w.grad = None


def test_series_when_a_step_fails_half_way_agrees_with_a_naive_ledger():
    with listening() as ledger, MemoryRecorder() as memory:
        training = mlp()
        training.step()
        loss = training.forward()
        with pytest.raises(RuntimeError):
            loss + training.model[0](torch.ones(3))
        assert shown(memory.series("cpu"))[-1] == ledger.now()


def test_series_when_nobody_computes_leaves_the_pause_out_and_names_it():
    began = time.perf_counter()
    with MemoryRecorder() as memory:
        first = torch.ones(13) + 1
        events.control("pause", "begin")
        time.sleep(0.6)
        events.control("pause", "end")
        later = torch.ones(100) + first[0]
        series = memory.series("cpu")
    elapsed = 1000 * (time.perf_counter() - began)
    assert len(later) == 100
    assert series["t"][-1] < elapsed - 500
    assert sum(series["bytes"][0]) <= 2 * first.nbytes < later.nbytes
    (mark,) = series["marks"]
    assert mark["name"].endswith(" s pause") and mark["t"] <= series["t"][-1]


def test_series_when_something_runs_in_a_pause_keeps_its_time():
    with MemoryRecorder() as memory:
        x = torch.ones(13) + 1
        events.control("pause", "begin")
        time.sleep(0.05)
        y = torch.ones(13) + 1
        events.control("pause", "end")
        z = torch.ones(13) + 1
        series = memory.series("cpu")
    assert x.shape == y.shape == z.shape
    assert series["t"][-1] >= 50 and series["marks"] == []


def test_meta_tensors_are_named_as_what_they_are():
    with torch.inspect.MemoryRecorder("cpu") as recorder:
        (torch.empty(3, device="meta") + 1).sum()
    assert recorder.series()["device"] == "cpu"
    assert device_kind("meta") == ("no values", None, None)
    assert peak_device({"meta": 9, "cpu": 1}) == "cpu"


def test_series_when_opened_between_steps_knows_what_the_optimizer_holds():
    x = torch.ones(2, 100)
    model = torch.nn.Linear(100, 10)
    adam = torch.optim.Adam(model.parameters())
    model(x).sum().backward()
    adam.step()
    with MemoryRecorder() as memory:
        series = memory.series("cpu")
        held = dict(zip(series["categories"], series["bytes"][-1], strict=True))
        assert held["parameter"] == held["gradient"] == 4 * 1010
        assert held["optimizer"] == 2 * 4 * 1010 + 2 * 4  # and two counts of steps
        assert (series["t"], series["marks"]) == ([0.0], [])
        before = series["now"]
        model(x).sum().backward()
        adam.step()
        del adam
        gc.collect()
        assert memory.series("cpu")["now"] < before


def test_time_begins_with_the_first_change():
    model = torch.nn.Linear(10, 10)
    sgd = torch.optim.SGD(model.parameters(), lr=0.1)
    with MemoryRecorder() as memory:
        time.sleep(0.05)
        y = model(torch.ones(1, 10))
        series = memory.series("cpu")
    assert series["t"][0] == 0
    assert series["t"][-1] < 50
    assert (y is not None, len(sgd.param_groups)) == (True, 1)


def test_buffers_are_counted_with_what_is_no_parameter():
    norm = torch.nn.BatchNorm1d(50, affine=False)
    x = torch.ones(2, 50)
    with MemoryRecorder() as memory:
        y = norm(x)
        series = memory.series("cpu")
    held = dict(zip(series["categories"], series["bytes"][-1], strict=True))
    assert held["parameter"] == 0
    assert held["other"] - y.nbytes - x.nbytes == sum(b.nbytes for b in norm.buffers())
