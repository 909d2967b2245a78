"""The recorder behind Timeline, against the records themselves and wall time."""

from __future__ import annotations

import threading
import time
import weakref
from collections import Counter

import pytest

import edutorch as torch
from edutorch import events, nn
from edutorch.inspect import TimelineRecorder, record, timeline
from edutorch.inspect.timeline_bars import KINDS
from edutorch.inspect.view_schemas import check_view
from tests.inspect.ledger import listening
from tests.inspect.models import TRAININGS

OUR_KINDS = {"op": "op", "bwd": "node"}


def rows(data):
    """Each bar as a dictionary, with texts for numbers."""
    bars = data["bars"]
    found = [
        dict(zip(bars, row, strict=True)) for row in zip(*bars.values(), strict=True)
    ]
    for row in found:
        row["kind"], row["name"] = KINDS[row["kind"]], data["names"][row["name"]]
        row["end"] = row["start"] + row["dur"]
    return found


def names(data, kind):
    return [row["name"] for row in rows(data) if row["kind"] == kind]


def timed(records):
    """How often each op and node ran and how long, counted from the records."""
    counts, times = Counter(), Counter()
    for r in records:
        if r["kind"] in OUR_KINDS:
            key = OUR_KINDS[r["kind"]], r["name"]
            counts[key] += 1
            times[key] += r["dur_ns"]
    return counts, times


@pytest.mark.parametrize("name", TRAININGS)
def test_bars_of_a_training_equal_the_records(name):
    training = TRAININGS[name]()
    before = time.perf_counter_ns()
    with listening() as ledger, TimelineRecorder() as recorder:
        for _ in range(3):
            training.step()
    after = time.perf_counter_ns()
    data = recorder.series()
    check_view("timeline", data)
    counts, times = Counter(), Counter()
    for row in rows(data):
        if row["kind"] in ("op", "node"):
            key = row["kind"], row["name"].partition(" of ")[0]
            counts[key] += 1
            times[key] += row["dur"]
    assert (counts, times) == timed(ledger.named())
    assert before <= data["origin"]
    assert data["origin"] + data["total"] <= after
    calls = [r for r in ledger.named() if r["kind"] == "mod" and r["what"] == "enter"]
    assert len(names(data, "module")) == len(calls)
    assert names(data, "step") == ["step 0", "step 1", "step 2"]


@pytest.mark.parametrize("name", TRAININGS)
def test_parent_of_a_bar_is_the_shortest_around_it(name):
    training = TRAININGS[name]()
    with TimelineRecorder() as recorder:
        training.step()
    found = rows(recorder.series())
    for i, row in enumerate(found):
        around = [
            (other["dur"], -k)
            for k, other in enumerate(found)
            if k != i and other["start"] <= row["start"] and row["end"] <= other["end"]
        ]
        assert row["parent"] == (-min(around)[1] if around else -1)


@pytest.mark.parametrize("name", TRAININGS)
def test_backward_is_linked_to_the_op_that_has_its_node(name):
    training = TRAININGS[name]()
    with listening() as ledger, TimelineRecorder() as recorder:
        training.step()
    data = recorder.series()
    origin = data["origin"]
    ops = {r["node"]: r for r in ledger.named() if r["kind"] == "op" and r["node"]}
    starts = {r["t0_ns"] - origin: r for r in ledger.named() if r["kind"] == "bwd"}
    found = rows(data)
    nodes = [row for row in found if row["kind"] == "node"]
    assert len(nodes) == len(starts)
    for row in nodes:
        told = starts[row["start"]]
        if told["node"]:
            assert found[row["link"]]["start"] == ops[told["node"]]["t0_ns"] - origin
        elif row["link"] >= 0:  # a leaf that has a name
            assert found[row["link"]]["kind"] == "module"
            path = found[row["link"]]["name"].partition(":")[0]
            leaf = row["name"].partition(" of ")[2].rpartition(".")[0]
            assert path in (leaf, type(getattr(training, "model", None)).__name__)


def test_steps_cover_all_time_from_one_end_to_the_next():
    training = TRAININGS["mlp"]()
    with listening() as ledger, TimelineRecorder() as recorder:
        for _ in range(4):
            training.step()
    data = recorder.series()
    ends = [r["t0_ns"] for r in ledger.named() if r.get("what") == "end"]
    steps = [row for row in rows(data) if row["kind"] == "step"]
    assert [step["end"] + data["origin"] for step in steps] == ends
    assert [step["start"] for step in steps[1:]] == [s["end"] for s in steps[:-1]]


def test_optimizer_backward_and_data_have_bars_of_their_own():
    x = torch.utils.data.TensorDataset(torch.randn(6, 2))
    loader = torch.utils.data.DataLoader(x, batch_size=2)
    w = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    with TimelineRecorder() as recorder:
        for (batch,) in loader:
            optimizer.zero_grad()
            (batch * w).sum().backward()
            optimizer.step()
    data = recorder.series()
    assert names(data, "data") == ["next batch"] * 4  # the last finds the end
    assert names(data, "optim") == ["SGD.zero_grad", "SGD.step"] * 3
    assert names(data, "backward") == ["backward"] * 3


def test_steps_beyond_the_limit_are_dropped_and_counted():
    training = TRAININGS["mlp"]()
    with TimelineRecorder(steps=3) as recorder:
        for done in range(1, 8):
            training.step()
            data = recorder.series()
            assert len(names(data, "step")) == min(done, 3)
            assert data["dropped_steps"] == max(0, done - 3)
    assert names(data, "step") == ["step 4", "step 5", "step 6"]
    whole = names(data, "op")
    assert whole == ["linear", "relu", "linear", "pow", "mean"] * 3


def test_endless_step_keeps_a_bounded_number_of_bars(monkeypatch):
    monkeypatch.setattr(timeline, "RING", 500)
    monkeypatch.setattr(timeline, "MOST", 300)
    x = torch.ones(1)
    with TimelineRecorder() as recorder:
        for _ in range(2000):
            x.exp()
    data = recorder.series()
    assert len(data["bars"]["kind"]) == 300
    assert data["dropped"] > 0
    assert len(recorder._newest.ring) <= 500 + timeline.BATCH
    check_view("timeline", data)


def test_named_blocks_nest_as_they_were_written():
    with TimelineRecorder() as recorder, torch.profiler.record_function("outer"):
        torch.ones(2).exp()
        with torch.profiler.record_function("inner"):
            torch.ones(2).exp()
    found = rows(recorder.series())
    parents = {row["name"]: row["parent"] for row in found if row["name"] != "exp"}
    assert found[parents["inner"]]["name"] == "outer"
    inside = [found[row["parent"]]["name"] for row in found if row["name"] == "exp"]
    assert inside == ["outer", "inner"]


def test_block_around_several_steps_holds_them():
    training = TRAININGS["mlp"]()
    training.step()
    with TimelineRecorder() as recorder:
        for epoch in range(2):
            with torch.profiler.record_function(f"epoch {epoch}"):
                training.step()
                training.step()
    data = recorder.series()
    check_view("timeline", data)
    found = rows(data)
    steps = [row for row in found if row["kind"] == "step" and row["dur"] > 0]
    around = [found[s["parent"]]["name"] for s in steps if s["parent"] >= 0]
    assert around == ["epoch 0", "epoch 0", "epoch 1", "epoch 1"]


def test_call_that_fails_leaves_bars_of_what_ran():
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(2, 3))
    with TimelineRecorder() as recorder, pytest.raises(RuntimeError):
        model(torch.ones(1, 2))
    data = recorder.series()
    assert names(data, "op") == ["linear", "linear (failed)"]
    assert not any(r["open"] for r in rows(data) if r["kind"] == "module")


def test_series_within_a_call_shows_it_open():
    seen = []

    class Watching(nn.Module):
        def forward(self, x):
            y = x.exp()
            seen.append(recorder.series())
            return y

    with TimelineRecorder() as recorder:
        Watching()(torch.ones(2))
    (row,) = [r for r in rows(seen[0]) if r["kind"] == "module"]
    assert (row["name"], row["open"]) == ("Watching", 1)
    check_view("timeline", seen[0])


def test_threads_have_lanes_of_their_own():
    def work():
        torch.ones(2).exp()

    with TimelineRecorder() as recorder:
        torch.ones(2).log()
        worker = threading.Thread(target=work, name="worker 7")
        worker.start()
        worker.join()
        data = recorder.series()
    assert len(data["lanes"]) == 2
    assert data["lanes"][0] == "main thread"
    by_lane = {row["lane"]: row["name"] for row in rows(data) if row["kind"] == "op"}
    assert by_lane == {0: "log", 1: "exp"}


def test_pause_is_cut_out_and_told():
    with TimelineRecorder() as recorder:
        torch.ones(2).exp()
        events.emit("mark", now := events.clock(), 0, "idle", "begin", "idle")
        events.emit("mark", now + 9 * 10**9, 0, "idle", "end", "idle")
        later = now + 9 * 10**9 + 1000
        events.emit("mark", later, 0, "block", "begin", "")
        events.emit("mark", later + 5000, 0, "block", "end", "")
    data = recorder.series()
    assert data["pauses"][0][1] == 9 * 10**9
    assert data["total"] < 9 * 10**9
    (block,) = [row for row in rows(data) if row["name"] == "block"]
    assert block["dur"] == 5000


def test_recording_gives_the_bars_that_a_live_recorder_gives():
    training = TRAININGS["cnn"]()
    with record() as recording, TimelineRecorder() as live:
        training.step()
        training.step()
    assert recording.timeline() | {"rev": 0} == live.series() | {"rev": 0}


def test_two_models_with_the_same_names_are_told_apart():
    training = TRAININGS["gan"]()
    with TimelineRecorder() as recorder:
        training.step()
    found = set(names(recorder.series(), "module"))
    assert {"Sequential", "Sequential_2"} <= found
    assert {"Sequential.0: Linear", "Sequential_2.0: Linear"} <= found
    assert "BCEWithLogitsLoss" in found


def test_nothing_recorded_gives_no_bars():
    data = TimelineRecorder().series()
    check_view("timeline", data)
    assert data["bars"]["kind"] == []
    assert data["total"] == 0


def test_recorder_keeps_no_tensor_alive():
    with TimelineRecorder() as recorder:
        x = torch.ones(1000)
        array = x.numpy()
        x.exp()
        seen = weakref.ref(array)
        del x, array
        assert seen() is None
    assert recorder.rev > 0


def test_node_that_computes_a_product_names_its_op():
    model = nn.Sequential(nn.Linear(4, 4), nn.Unflatten(-1, (2, 2)))
    with TimelineRecorder() as recorder:
        model(torch.ones(2, 3, 4)).sum().backward()
        data = recorder.series()
    names = [data["names"][i] for i in data["bars"]["name"]]
    assert names.count("ViewBackward0 of linear") == 1
    assert names.count("ViewBackward0") == 1  # of the view
