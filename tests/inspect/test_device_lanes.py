"""Lanes of devices: busy time, bytes and memory, each computed in a second way."""

from __future__ import annotations

import json
import time
from itertools import pairwise

import pytest

import edutorch as torch
from edutorch import events, nn
from edutorch.inspect import LanesRecorder, record
from edutorch.inspect.device_lanes import BARS, BATCH
from edutorch.inspect.view_schemas import check_view
from tests.inspect.ledger import listening
from tests.inspect.models import TRAININGS
from tests.inspect.parallel_steps import DataParallelStep, SplitModel


@pytest.fixture
def gpus():
    with torch.cuda.simulate(devices=2, memory="64MB"):
        yield


def lane(series, device):
    return next(x for x in series["lanes"] if x["device"] == device)


def bars(series, device):
    """The bars of a device with their texts."""
    texts = series["texts"]
    return [
        (b[0], b[0] + b[1], texts[b[2]], texts[b[3]], texts[b[4]])
        for b in lane(series, device)["bars"]
    ]


def is_work(r):
    """Whether it is an op, a node, or an optimizer's update."""
    return r["kind"] in ("op", "bwd") or (r.get("what") == "optim" and r["device"])


def busy_by_hand(ledger, device):
    """Microseconds in which an op ran, over every boundary between two moments."""
    spans = [
        (r["t0_ns"], r["t0_ns"] + r["dur_ns"])
        for r in ledger.named()
        if is_work(r) and device_of(r, ledger) == device
    ]
    edges = sorted({edge for span in spans for edge in span})
    inside = [
        b - a for a, b in pairwise(edges) if any(s <= a and b <= e for s, e in spans)
    ]
    return sum(inside) / 1000


def device_of(r, ledger):
    """A copied gradient counts where it arrives."""
    if r["kind"] == "bwd" and r["name"] == "ToCopyBackward0":
        end = r["t0_ns"] + r["dur_ns"]
        moves = [
            m["target"]
            for m in ledger.named()
            if m["kind"] == "xfer" and m["thread"] == r["thread"]
            if r["t0_ns"] <= m["t0_ns"] <= end
        ]
        return (moves or [r["device"]])[-1]
    return r["device"]


def moved(series):
    return {
        (m["source"], m["target"]): (m["count"], m["bytes"]) for m in series["moved"]
    }


@pytest.mark.parametrize("threads", [True, False])
def test_data_parallel_step_shows_true_bytes_times_memory_and_phases(gpus, threads):
    step = DataParallelStep(threads=threads)
    with LanesRecorder() as recorder, listening() as ledger:
        step.step()
        step.step()
        series = recorder.series()
        for i in (0, 1):
            memory = lane(series, f"cuda:{i}")["memory"]
            assert memory["now"] == torch.cuda.memory_allocated(i) > 0
            assert memory["peak"] == torch.cuda.max_memory_allocated(i)
            assert memory["limit"] == 64 * 2**20
    assert moved(series) == step.moved
    for device in ("cpu", "cuda:0", "cuda:1"):
        mine = lane(series, device)
        assert mine["busy"] == pytest.approx(busy_by_hand(ledger, device), abs=0.2)
        assert mine["busy"] + mine["idle"] == pytest.approx(series["to"], abs=0.3)
        came = [n for pair, n in step.moved.items() if pair[1] == device]
        sums = {"count": sum(n for n, _ in came), "bytes": sum(b for _, b in came)}
        assert mine["received"] == sums
    names = [phase["name"] for phase in series["phases"]]
    assert names == ["scatter", "replicate", "parallel_apply", "reduce"] * 2
    # a thread that begins after another has ended may have its number
    assert (series["threads"] > 1) == threads
    check_view("lanes", json.loads(json.dumps(series)))


def test_split_model_waits_for_the_other_half_and_its_gradient(gpus):
    step = SplitModel()
    with LanesRecorder() as recorder, listening() as ledger:
        step.step()
        series = recorder.series()
    assert moved(series) == step.moved
    for device in ("cuda:0", "cuda:1"):
        busy = lane(series, device)["busy"]
        assert busy == pytest.approx(busy_by_hand(ledger, device), abs=0.2)
    first, second = bars(series, "cuda:0"), bars(series, "cuda:1")
    assert [b[2] for b in first if b[4] == "forward"] == ["linear", "relu"]
    assert second[0][2] == "to" and second[0][4] == "copy"
    # the gradient that comes back is a copy of the lane that gets it
    assert [b[2] for b in first if b[4] == "copy"] == ["to", "ToCopyBackward0"]
    back = next(b for b in first if b[2] == "ToCopyBackward0")
    waited = {w["device"]: w["us"] for w in lane(series, "cuda:0")["waited"]}
    relu = next(b for b in first if b[2] == "relu")
    assert waited["cuda:1"] == pytest.approx(back[0] - relu[1], abs=0.2)
    waits = {w["device"]: w["us"] for w in lane(series, "cuda:1")["waited"]}
    assert waits == {"cuda:0": pytest.approx(second[0][0], abs=0.2)}


def test_transfer_begins_with_its_op_and_ends_within_it(gpus):
    with LanesRecorder() as recorder:
        torch.ones(1000).to("cuda:1")
        series = recorder.series()
    ((start, end, source, target, nbytes, how),) = series["transfers"]
    assert (source, target, nbytes, how) == ("cpu", "cuda:1", 4000, "copy")
    ((begin, until, name, _, phase),) = bars(series, "cuda:1")
    assert (name, phase) == ("to", "copy")
    assert start == begin and begin < end <= until


def test_reading_a_number_or_giving_data_is_a_transfer(gpus):
    with LanesRecorder() as recorder:
        x = torch.tensor([1.0, 2.0, 3.0], device="cuda:0")
        x.sum().item()
        x.tolist()
    assert moved(recorder.series()) == {
        ("cpu", "cuda:0"): (1, 12),
        ("cuda:0", "cpu"): (2, 16),
    }


def test_ops_inside_another_count_once(gpus):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x * 1).exp() * 2

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.ones(20_000, requires_grad=True)
    with LanesRecorder() as recorder, listening() as ledger:
        Doubled.apply(x)
        series = recorder.series()
    cpu = lane(series, "cpu")
    assert cpu["busy"] == pytest.approx(busy_by_hand(ledger, "cpu"), abs=0.2)
    assert cpu["busy"] <= series["to"] + 0.2
    assert cpu["ops"] == len(ledger.ops())
    assert sum(1 + b[7] for b in cpu["bars"]) == cpu["ops"]


@pytest.mark.parametrize("kind", TRAININGS)
def test_training_on_one_device_is_busy_as_counted_by_hand(kind):
    training = TRAININGS[kind]()
    with LanesRecorder() as recorder, listening() as ledger:
        training.step()
        training.step()
        series = recorder.series()
    cpu = lane(series, "cpu")
    named = ledger.named()
    assert cpu["ops"] == sum(bool(is_work(r)) for r in named)
    updates = [b for b in bars(series, "cpu") if b[2].endswith(".step")]
    assert len(updates) == sum(r["kind"] == "optim" for r in named) >= 2
    assert cpu["busy"] == pytest.approx(busy_by_hand(ledger, "cpu"), abs=0.2)
    assert cpu["memory"]["peak"] == ledger.peak()
    assert [s[1] for s in series["steps"]] == [0, 1]
    check_view("lanes", series)


def test_update_of_parameters_on_one_gpu_is_its_work(gpus):
    p = nn.Parameter(torch.ones(64, device="cuda:1"))
    optimizer = torch.optim.Adam([p])
    p.grad = torch.ones_like(p)
    with LanesRecorder() as recorder, listening() as ledger:
        optimizer.step()
        series = recorder.series()
    ((begin, end, name, _, phase),) = bars(series, "cuda:1")
    assert (name, phase) == ("Adam.step", "optim")
    assert lane(series, "cuda:1")["busy"] == pytest.approx(end - begin, abs=0.2)
    (span,) = [r for r in ledger.named() if r.get("what") == "optim"]
    assert end - begin == pytest.approx(span["dur_ns"] / 1000, abs=0.2)


def test_update_that_is_not_one_devices_is_nobodys_work(gpus):
    spread = [nn.Parameter(torch.ones(2, device=f"cuda:{i}")) for i in (0, 1)]
    optimizer = torch.optim.SGD(spread, lr=0.1)
    alone = torch.optim.SGD(spread[:1], lr=0.1)
    for p in spread:
        p.grad = torch.ones(2, device=p.device)
    with LanesRecorder() as recorder:
        optimizer.step()
        alone.step(lambda: spread[0].sum())  # a loss is computed within
        series = recorder.series()
    assert [b[2] for b in bars(series, "cuda:0")] == ["sum"]


def test_series_when_an_op_fails_keeps_what_ran_before(gpus):
    step = SplitModel()
    with LanesRecorder() as recorder:
        hidden = step.first(step.x.to("cuda:0"))
        with pytest.raises(RuntimeError, match="same device"):
            step.second(hidden)
        series = recorder.series()
    assert [b[2] for b in bars(series, "cuda:0")] == ["to", "linear", "relu"]
    check_view("lanes", series)


def test_series_when_a_device_is_full_tells_which_and_how_full():
    with torch.cuda.simulate(devices=2, memory="4MB"), LanesRecorder() as recorder:
        kept = torch.ones(2**18, device="cuda:1")  # 1 MB
        with pytest.raises(torch.cuda.OutOfMemoryError):
            torch.ones(2**21, device="cuda:1")
        held = torch.cuda.memory_allocated(1)
    series = recorder.series()  # the simulation is over
    (full,) = series["full"]
    assert (full["device"], full["wanted"]) == ("cuda:1", 2**23)
    assert full["now"] == held == kept.numel() * 4
    assert full["limit"] == 4 * 2**20
    assert "cuda:1" in [x["device"] for x in series["lanes"]]


def test_mark_of_the_program_is_no_device_without_memory(gpus):
    with LanesRecorder() as recorder:
        events.mark("out of memory on cuda:7: +8.00 MiB")
    series = recorder.series()
    assert not series["full"]
    assert "cuda:7" not in [lane["device"] for lane in series["lanes"]]


def test_transfers_with_a_purpose_make_phases_also_without_marks(gpus):
    with LanesRecorder() as recorder:
        for how in ("scatter", "scatter", "copy", "gather"):
            events.transfer("cpu", "cuda:0", 8, how)
    phases = recorder.series()["phases"]
    assert [p["name"] for p in phases] == ["scatter", "gather"]


def test_phase_that_has_not_ended_reaches_to_the_present(gpus):
    with LanesRecorder() as recorder:
        events.mark("scatter", "begin")
        torch.ones(4).to("cuda:0")
        series = recorder.series()
    (phase,) = series["phases"]
    assert phase["name"] == "scatter" and phase["to"] == series["to"]


def test_pauses_are_no_idle_time():
    began = time.perf_counter()
    with LanesRecorder() as recorder:
        torch.ones(3).exp()
        events.control("idle", "begin")
        time.sleep(0.3)
        events.control("idle", "end")
        torch.ones(3).exp()
    elapsed = 1e6 * (time.perf_counter() - began)
    assert recorder.series()["to"] < elapsed - 250_000


def test_many_ops_are_bounded_and_sums_stay_exact():
    x = torch.ones(3)
    with LanesRecorder() as recorder, listening() as ledger:
        for _ in range(BARS + 3 * BATCH):
            x = x + 1
        series = recorder.series()
    cpu = lane(series, "cpu")
    assert len(cpu["bars"]) < BARS + BATCH
    assert cpu["ops"] == BARS + 3 * BATCH
    assert series["dropped"] == BARS + 3 * BATCH - len(cpu["bars"])
    assert f"all {cpu['ops']:,}" in series["limits"]
    spans = [r["dur_ns"] for r in ledger.named() if r["kind"] == "op"]
    assert cpu["busy"] == pytest.approx(sum(spans) / 1000, abs=0.2)
    assert 0 < series["from"] < series["to"]


def test_recording_when_replayed_makes_the_same_lanes(gpus):
    step = SplitModel()
    with LanesRecorder() as recorder, record() as recording:
        step.step()
        live = recorder.series()
    again = recording.lanes()
    for key in ("moved", "texts", "phases", "transfers", "to"):
        assert again[key] == live[key]
    for mine, theirs in zip(live["lanes"], again["lanes"], strict=True):
        for key in ("device", "busy", "idle", "ops", "waited", "bars", "received"):
            assert mine[key] == theirs[key]


def test_recording_when_replayed_holds_what_its_records_tell(gpus):
    with record() as recording:
        x = torch.ones(300).to("cuda:0")
        y = x * 2
        del y
        z = x[:4] * 3
    torch.ones(5000).to("cuda:0")  # afterwards, and so not in it
    memory = lane(recording.lanes(), "cuda:0")["memory"]
    assert memory == {"now": 2048, "peak": 3072, "limit": None, "reserved": None}
    assert x.numel() == 300 and z.numel() == 4


def test_series_when_nothing_ran_is_empty():
    series = LanesRecorder().series()
    assert series["lanes"] == [] and series["to"] == 0
    check_view("lanes", series)


def test_recorder_keeps_no_tensor_alive(gpus):
    with LanesRecorder() as recorder:
        x = torch.ones(1000).to("cuda:0")
        del x
        assert torch.cuda.memory_allocated(0) == 0
        assert lane(recorder.series(), "cuda:0")["memory"]["now"] == 0


def test_modules_of_backward_are_those_of_forward(gpus):
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU()).to("cuda:0")
    with LanesRecorder() as recorder:
        model(torch.ones(2, 3).to("cuda:0")).sum().backward()
        series = recorder.series()
    modules = {b[2]: b[3] for b in bars(series, "cuda:0")}
    assert modules["linear"] == modules["AddmmBackward0"] == "0"
    assert modules["relu"] == modules["ReluBackward0"] == "1"


def test_phases_of_data_parallel_stand_in_order_over_the_lanes(gpus):
    model = nn.DataParallel(nn.Linear(6, 3).to("cuda:0"))
    x = torch.randn(8, 6, device="cuda:0")
    with LanesRecorder() as recorder:
        model(x).sum().backward()
    series = recorder.series()
    names = ["scatter", "replicate", "parallel_apply", "gather", "backward", "reduce"]
    phases = series["phases"]
    assert [p["name"] for p in phases] == names
    assert all(a["to"] <= b["from"] for a, b in pairwise(phases))
    weights, half, gradient = (6 * 3 + 3) * 4, 4 * 6 * 4, 4 * 3 * 4
    came = {"count": 4, "bytes": weights + half + gradient}  # weight and bias are two
    assert lane(series, "cuda:1")["received"] == came
    assert {name for *_, name, _, _ in bars(series, "cuda:1")} >= {"linear"}
