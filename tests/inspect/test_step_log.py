"""Which ops make one graph."""

from __future__ import annotations

import edutorch as torch
from edutorch import events
from edutorch.inspect import GraphRecorder
from edutorch.inspect.step_log import MANY, StepLog


def ops(recorder, current=True):
    data = recorder.snapshot(current)
    return [n["name"] for n in data["nodes"] if n["kind"] == "op"]


def test_run_when_a_backward_is_over_and_new_values_are_used_begins_anew():
    x = torch.ones(2, requires_grad=True)
    with GraphRecorder() as graph:
        (x * 2).sum().backward()
        (x + 1).sum().backward()
        assert ops(graph) == ["add", "sum"]


def test_run_when_gradients_add_up_counts_the_passes_of_the_step():
    x = torch.ones(2, requires_grad=True)
    with GraphRecorder() as graph:
        for _ in range(2):
            for _ in range(3):
                (x * 2).sum().backward()
            assert graph.snapshot()["passes"] == 2
            events.next_step()
        (x * 2).sum().backward()
        assert graph.snapshot()["passes"] == 0
        graph.cell_began()
        x * 2
        assert graph.snapshot()["passes"] == 0


def test_run_when_results_are_used_after_backward_goes_on():
    x = torch.ones(2, requires_grad=True)
    with GraphRecorder() as graph:
        loss = (x * 2).sum()
        loss.backward()
        loss * 100
        assert ops(graph) == ["mul", "sum", "mul"]


def test_run_when_a_cell_begins_takes_what_it_uses_along():
    x = torch.ones(2, requires_grad=True)
    with GraphRecorder() as graph:
        x - 1
        y = x * 2
        graph.cell_began()
        y.sum()
        assert ops(graph) == ["mul", "sum"]


def test_run_when_a_cell_is_run_again_is_not_drawn_twice():
    x = torch.ones(2, requires_grad=True)
    with GraphRecorder() as graph:
        for _ in range(3):
            graph.cell_began()
            x * 2
        assert ops(graph) == ["mul"]


def test_run_when_a_new_cell_needs_no_gradients_is_shown_all_the_same():
    x = torch.ones(2, requires_grad=True)
    with GraphRecorder() as graph:
        (x * 2).sum().backward()
        graph.cell_began()
        with torch.no_grad():
            x - 1
        assert ops(graph) == ["sub"]
        graph.cell_began()
        x.exp()
        assert ops(graph) == ["exp"]


def test_shown_when_running_is_the_last_whole_graph():
    x = torch.ones(2, requires_grad=True)
    with GraphRecorder() as graph:
        for _ in range(2):
            (x * 2).sum().backward()
            events.next_step()
        x * 2
        assert ops(graph, current=False) == ["mul", "sum"]
        assert ops(graph, current=True) == ["mul"]


def test_shown_when_training_prefers_graphs_with_gradients():
    x = torch.ones(2, requires_grad=True)
    with GraphRecorder() as graph:
        (x * 2).sum().backward()
        events.next_step()
        with torch.no_grad():
            x - 1
        assert ops(graph) == ["mul", "sum"]


def test_log_when_a_step_never_ends_stays_bounded(monkeypatch):
    monkeypatch.setattr("edutorch.inspect.step_log.LIMIT", 3000)
    x = torch.ones(1)
    with GraphRecorder() as graph:
        assert events.level == 2
        for _ in range(3100):
            x = x + 1
        assert events.level == 1  # summaries end after MANY ops
        assert len(graph._log.now.ops) <= 3000
        assert graph.snapshot()["dropped"] > 0
    assert MANY == 2000


def test_log_when_a_step_ends_asks_for_level_1(first_step_only):
    x = torch.ones(2, requires_grad=True)
    with GraphRecorder():
        assert events.level == 2
        (x * 2).sum().backward()
        events.next_step()
        assert events.level == 1
    assert events.level == 0


def test_phase_follows_what_runs():
    log = StepLog()
    assert log.phase == "idle"
    x = torch.ones(2, requires_grad=True)
    with GraphRecorder() as graph:
        y = (x * 2).sum()
        assert graph.snapshot()["phase"] == "forward"
        y.backward()
        assert graph.snapshot()["phase"] == "backward"
        events.next_step()
        assert graph.snapshot()["phase"] == "idle"


def test_ops_of_the_data_loader_are_not_the_models():
    data = torch.utils.data.TensorDataset(torch.ones(4, 2))
    w = torch.ones(2, requires_grad=True)
    with GraphRecorder() as graph:
        for (x,) in torch.utils.data.DataLoader(data, batch_size=4, shuffle=True):
            (x * w).sum()
        assert ops(graph) == ["mul", "sum"]
        assert events.thread_local.state.phase == "forward"


def stopped_after(count, run):
    """Run until a number of ops, and what the graph shows there."""
    shown = []
    with GraphRecorder() as recorder:

        def stop(record):
            if len(shown) < count and record[0] in ("op", "bwd"):
                shown.append(None)
                if len(shown) == count:
                    events.control("pause", "begin")
                    shown[-1] = recorder.snapshot()
                    events.control("pause", "end")

        subscription = events.listen("test.stop", stop)
        try:
            run()
        finally:
            subscription.close()
        return shown[-1], recorder.snapshot()


def product():
    a = torch.tensor(2.0, requires_grad=True)
    ((a * 3) ** 2).backward()


def test_log_when_stopped_tells_the_op_and_what_is_still_to_come():
    forward, _ = stopped_after(2, product)
    assert forward["now"] == "op1" and not forward["pending"]
    backward, after = stopped_after(3, product)
    assert backward["now"] == "op1" and backward["pending"]
    leaf, _ = stopped_after(5, product)
    assert leaf["now"] == "t0" and leaf["pending"]
    assert (after["now"], after["pending"]) == ("", False)


def test_log_when_stopped_in_a_later_step_shows_no_values_of_an_earlier_one(
    first_step_only,
):
    with GraphRecorder() as recorder:
        for step in range(4):
            a = torch.tensor(float(step), requires_grad=True)
            b = a * 3
            if step == 3:
                events.control("pause", "begin")
                events.control("pause", "end")
            (b * b).backward()
            events.next_step()
        graph = recorder.snapshot()
        events.control("pause", "over")
    first, second = [n for n in graph["nodes"] if n["kind"] == "op"]
    assert graph["recorded_step"] == graph["step"] == 3
    assert first["stats"] is None
    assert second["stats"]["mean"] == 81.0


def test_resumed_log_takes_statistics_as_before(first_step_only):
    log = GraphRecorder()
    with log:
        events.control("pause", "begin")
        assert events.level == 2
        for what in ("end", "begin", "over"):
            events.control("pause", what)
        for _ in range(3):
            torch.ones(1) * 2
            events.next_step()
        assert events.level == 1
