"""Survivors of training steps are counted, and right programs raise no alarm."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from collections import deque

import pytest

import edutorch as torch
from edutorch import events, nn, optim
from edutorch.inspect import LeakRecorder
from edutorch.memory_events import UNWATCHED
from edutorch.utils.data import DataLoader, TensorDataset
from tests.inspect.leaky_programs import LEAKS, RIGHT, run_program
from tests.inspect.models import TRAININGS


@pytest.fixture
def recorder():
    with LeakRecorder(seconds=120.0) as leaks:
        yield leaks


def states(recorder):
    return [row["state"] for row in recorder.series()["lines"] if row["state"]]


@pytest.mark.parametrize("name", LEAKS)
def test_classic_leak_is_found_named_and_mended(name, recorder):
    text, kind, line, change = LEAKS[name]
    gc.disable()
    try:
        space = run_program(text, recorder, name)
        recorder.explain()
        answers = recorder.series()["answers"]
    finally:
        gc.enable()
    causes = [a["cause"] for a in answers if a["cause"]]
    found = [c for c in causes if c["kind"] == kind]
    assert found, causes
    assert {(c["src"] or {"text": ""})["text"] for c in found} == {line}
    assert {c["change"] for c in found} == {change}
    also = [c["also"]["change"] for c in causes if c["also"]]
    retained = name in ("retain_graph", "state")
    assert also == ["loss.backward()"] * (len(causes) if retained else 0)
    space.clear()


@pytest.mark.parametrize("name", RIGHT)
def test_right_program_gives_no_alarm_in_200_steps(name, recorder):
    run_program(RIGHT[name].replace("20", "200"), recorder, name)
    assert states(recorder) == []


@pytest.mark.parametrize("name", ["mlp", "lstm", "gan"])
def test_right_training_gives_no_alarm_at_any_of_200_steps(name, recorder):
    training, seen = TRAININGS[name](), []
    for step in range(200 if name != "lstm" else 60):
        training.step()
        if step % 10 == 9:
            seen += states(recorder)
    assert seen == []


@pytest.mark.parametrize("workers", [0, 2])
def test_loading_by_workers_gives_no_alarm(workers, recorder):
    data = TensorDataset(torch.randn(160, 4), torch.randn(160, 1))
    model = nn.Linear(4, 1)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for x, y in DataLoader(data, batch_size=4, num_workers=workers):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    assert states(recorder) == []


def test_cache_of_fixed_size_grows_until_it_is_full(recorder):
    w = torch.ones(3, requires_grad=True)
    optimizer, cache = optim.SGD([w], lr=0.1), deque(maxlen=30)
    seen = []
    for _ in range(80):
        optimizer.zero_grad()
        (w * 2).sum().backward()
        optimizer.step()
        cache.append(w.detach() * 1)
        seen.append(states(recorder))
    assert ["leak"] not in seen  # data alone: said to grow, not to leak
    assert ["grows"] in seen
    assert seen[-1] == []
    recorder.explain([row["id"] for row in recorder.series()["lines"]])
    kinds = [a["cause"]["kind"] for a in recorder.series()["answers"]]
    assert "bounded" in kinds


def test_growth_agrees_with_tracemalloc_and_with_a_count_of_objects(recorder):
    w = torch.ones(1000, requires_grad=True)
    optimizer, kept = optim.SGD([w], lr=0.1), []

    def step():
        optimizer.zero_grad()
        out = w * 2
        out.sum().backward()
        optimizer.step()
        kept.append(out)

    for _ in range(12):
        step()
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    arrays = sum(out._data.nbytes for out in kept)
    for _ in range(20):
        step()
    gc.collect()
    traced = (tracemalloc.get_traced_memory()[0] - before) / 20
    tracemalloc.stop()
    (row,) = [r for r in recorder.series()["lines"] if r["state"]]
    assert row["bytes_per_step"] == 4000
    assert sum(out._data.nbytes for out in kept) - arrays == 20 * 4000
    assert 4000 <= traced < 4000 + 3000  # with nodes, tensors and our own books
    assert row["nodes_per_step"] == 1  # sum's node is gone, mul's is kept
    assert row["nodes"] == len(kept) - 1  # the newest has not survived a step yet
    assert row["bytes"] == 4000 * (len(kept) - 1)  # and not w, a parameter


def test_survivors_are_freed_once_they_are_let_go(recorder):
    run_program(LEAKS["losses"][0], recorder, "losses").clear()
    gc.collect()
    assert [r for r in recorder.series()["lines"] if r["nodes"]] == []


def test_recorder_keeps_nothing_alive_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        with LeakRecorder() as recorder:
            w = torch.ones(3, requires_grad=True)
            out = (w * 2).exp()
            gone = [weakref.ref(o) for o in (out, out._grad_fn, out._data, w)]
            recorder.why(out, "out")
            events.next_step()
            events.next_step()
            events.next_step()
            recorder.explain([r["id"] for r in recorder.series()["lines"]])
            assert recorder.series()["answers"][0]["found"] > 0
            del out, w
            assert [ref() for ref in gone] == [None] * 4
    finally:
        gc.enable()


def test_why_of_what_is_gone_raises(recorder):
    gone = weakref.ref(torch.ones(2))
    with pytest.raises(ValueError, match="gone already"):
        recorder.why(gone)


def test_collect_frees_cycles_and_says_how_many_bytes(recorder):
    gc.disable()
    try:
        space = run_program(LEAKS["cycle"][0], recorder, "cycle")
        recorder.explain()
        lost = sum(a["lost_bytes"] for a in recorder.series()["answers"])
        assert lost > 0
        assert recorder.collect() >= lost
    finally:
        gc.enable()
    assert space["step"] == 19


def test_search_that_has_no_time_says_so():
    kept = torch.ones(2)
    with LeakRecorder(seconds=0.0) as recorder:
        answer = recorder.why([kept], "kept")
    assert answer["cut"]
    assert answer["cause"] is None


def test_nothing_is_watched_after_closing():
    recorder = LeakRecorder().open()
    recorder.close()
    assert events.node_watchers == ()
    LeakRecorder().open()  # and forgotten at once
    assert events.node_watchers == ()


def test_failed_step_leaves_the_counts_right(recorder):
    w = torch.ones(3, requires_grad=True)
    optimizer = optim.SGD([w], lr=0.1)
    for step in range(12):
        try:
            out = (w * 2).sum()
            if step == 5:
                raise ValueError
            out.backward()
        except ValueError:
            continue
        optimizer.step()
    assert recorder.series()["step"] == 11
    assert states(recorder) == []


def test_line_leaks_although_some_steps_between_are_not_watched():
    recorder = LeakRecorder("test.unwatched")
    collector, kept = recorder._collector, []
    for step in range(24):
        node = (torch.ones(1, requires_grad=True) * 2).grad_fn
        kept.append(node)
        collector.note_node(node, UNWATCHED if step % 3 == 2 else 7)
        collector._end_step(step)
    _, of_nodes = collector.growth[7]
    assert of_nodes.always
    assert of_nodes.per_step == 1
    recorder.close()
