"""Who owns the bytes: totals and moments against naive accounts."""

from __future__ import annotations

import gc
import time
import weakref
from collections import Counter

import pytest

import edutorch as torch
from edutorch import events, memory_events
from edutorch.inspect import MemoryRecorder, MemoryTreeRecorder, record
from tests.inspect.ledger import Ledger, listening
from tests.inspect.models import TRAININGS, mlp


def totals(data, moment, device="cpu"):
    """Bytes by category at a moment, as rows say."""
    found = Counter()
    for row in data["rows"]:
        if data["devices"][row["device"]]["name"] == device:
            found[data["categories"][row["category"]]] += row["bytes"][moment]
    return {name: nbytes for name, nbytes in found.items() if nbytes}


def moment_of(data, name):
    return [m["name"] for m in data["moments"]].index(name)


def module_bytes(data, moment, model, path):
    """Bytes of a module and those inside it."""
    owners = [
        m["model"] == model and (m["path"] + ".").startswith(path + ".")
        for m in data["modules"]
    ]
    return sum(r["bytes"][moment] for r in data["rows"] if owners[r["module"]])


def at_peak(ledger):
    """Bytes by category at the moment of the ledger that held most, the first."""
    rows = [row for _, row in ledger.moments()]
    return max(rows, key=lambda row: sum(row.values()))


def at_last_step(ledger):
    """Bytes by category as the last training step ended."""
    ends = [i for i, r in enumerate(ledger.records) if r[0] == "mark"]
    until = Ledger()
    until.records = ledger.records[: ends[-1]]
    return until.now()


@pytest.mark.parametrize("name", TRAININGS)
def test_series_when_a_model_trains_agrees_with_a_naive_ledger(name):
    with listening() as ledger, MemoryTreeRecorder() as memory:
        training = TRAININGS[name]()
        for step in range(6):
            training.step()
            data = memory.series("cpu")
            here = ledger.now()
            assert totals(data, 0) == here
            assert totals(data, 1) == at_peak(ledger)
            assert totals(data, -1) == at_last_step(ledger), f"end of step {step}"


@pytest.mark.parametrize("name", TRAININGS)
def test_series_when_a_step_is_half_done_agrees_with_memory_view(name):
    with MemoryTreeRecorder() as tree, MemoryRecorder() as memory:
        training = TRAININGS[name]()
        training.step()
        if name != "gan":
            loss = training.forward()
            assert loss.numel() == 1
        data, series = tree.series("cpu"), memory.series("cpu")
        row = dict(zip(series["categories"], series["bytes"][-1], strict=True))
    assert totals(data, 0) == {c: n for c, n in row.items() if n}
    assert sum(totals(data, 0).values()) == series["now"]
    assert sum(totals(data, 1).values()) == series["peak"]


def test_series_when_steps_end_keeps_the_first_and_the_last_two():
    kept = {}
    with listening() as ledger, MemoryTreeRecorder() as memory:
        held = []
        for step in range(7):
            held.append(torch.ones(10 + step) * 2)
            events.next_step()
            kept[f"end of step {step}"] = ledger.now()
        del held[:3]
        data = memory.series("cpu")
    names = [m["name"] for m in data["moments"]][2:]
    assert names == [f"end of step {k}" for k in (0, 5, 6)]
    for name in names:
        assert totals(data, moment_of(data, name)) == kept[name]


def test_series_when_a_moment_is_marked_keeps_the_newest_four():
    with MemoryTreeRecorder() as memory:
        held = []
        for k in range(6):
            held.append(torch.ones(25) + k)
            events.mark(f"epoch {k}")
        memory.mark("mine")
        data = memory.series("cpu")
    names = [m["name"] for m in data["moments"]][2:]
    assert names == ["epoch 3", "epoch 4", "epoch 5", "mine"]
    sums = [sum(totals(data, i).values()) for i in range(2, 6)]
    assert sums == [400, 500, 600, 600]


def test_peak_when_categories_are_learnt_later_shows_those_of_its_moment():
    leaf = torch.ones(1000, requires_grad=True)
    with listening() as ledger, MemoryTreeRecorder() as memory:
        y = leaf * 2
        del y
        leaf.backward(torch.ones(1000))
        data = memory.series("cpu")
        assert totals(data, 1) == at_peak(ledger)
        assert totals(data, 0) == ledger.now()
        assert totals(data, 0)["parameter"] == leaf.untyped_storage().nbytes()


def test_series_when_an_exception_ends_a_step_agrees_with_living_arrays():
    with listening() as ledger, MemoryTreeRecorder() as memory:
        training = mlp()
        training.step()
        with pytest.raises(RuntimeError):
            training.model(torch.ones(3, 99))
        gc.collect()
        memory_events.drain()
        data = memory.series("cpu")
        assert totals(data, 0) == ledger.now()


def test_series_when_time_goes_by_stays_what_living_arrays_hold():
    with MemoryTreeRecorder() as memory:
        made = [torch.ones(n) * 1.0 for n in range(1, 60)]
        arrays = [weakref.ref(t.untyped_storage().array) for t in made]
        del made[::2]
        time.sleep(0.05)
        living = [a for ref in arrays if (a := ref()) is not None]
        assert sum(totals(memory.series("cpu"), 0).values()) == sum(
            a.nbytes for a in living
        )


@pytest.mark.parametrize("name", TRAININGS)
def test_series_when_on_simulated_gpus_agrees_with_their_allocators(name):
    with torch.cuda.simulate(devices=2, memory="64MB"):
        with torch.device("cuda:1"), MemoryTreeRecorder() as memory:
            training = TRAININGS[name]()
            other = torch.ones(300, device="cuda:0") + 1
            for _ in range(3):
                training.step()
                data = memory.series()
                for device in ("cuda:0", "cuda:1"):
                    now, peak = (sum(totals(data, i, device).values()) for i in (0, 1))
                    assert now == torch.cuda.memory_allocated(device)
                    assert peak == torch.cuda.max_memory_allocated(device)
        by_name = {d["name"]: d for d in data["devices"]}
        assert by_name["cuda:1"]["kind"] == "simulated GPU"
        reserved = torch.cuda.memory_reserved("cuda:1")
        assert by_name["cuda:1"]["reserved"] == reserved
    assert other.shape == (300,)
    assert data["devices"][data["shown"]]["name"] == "cuda:1"


def test_series_when_opened_late_knows_whose_memory_others_have_seen():
    with MemoryRecorder("test.early"):
        model = torch.nn.Linear(50, 20)
        y = model(torch.ones(4, 50))
        with MemoryTreeRecorder("test.late") as late:
            data = late.series("cpu")
    rows = {row["name"]: row for row in data["rows"]}
    assert rows["weight"]["shape"] == [20, 50]
    assert rows["linear"]["bytes"][0] == y.numpy(force=True).nbytes


def test_series_when_a_gpu_was_seen_by_others_counts_what_it_rounded_up():
    with torch.cuda.simulate(memory="8MB"), MemoryRecorder("test.early"):
        x = torch.ones(3, device="cuda:0") + 1
        with MemoryTreeRecorder("test.late") as late, MemoryRecorder() as view:
            now = torch.cuda.memory_allocated()
            assert sum(totals(late.series(), 0, "cuda:0").values()) == now
            assert view.series("cuda:0")["now"] == now
    assert x.shape == (3,)


def test_series_when_a_step_is_over_books_a_module_all_that_is_its():
    with MemoryTreeRecorder() as memory:
        training = mlp()
        training.step()
        training.step()
        data = memory.series("cpu")
    first = training.model[0]
    held = [
        value.numpy()
        for p in first.parameters()
        for value in training.optimizer.state[p].values()
        if isinstance(value, torch.Tensor)
    ]
    own = [p.numpy(force=True) for p in first.parameters()]
    gradients = [p.grad.numpy() for p in first.parameters()]
    total = sum(a.nbytes for a in own + gradients + held)
    assert module_bytes(data, 0, "Sequential", "0") == total
    names = {row["name"] for row in data["rows"] if row["bytes"][0]}
    assert {"0.weight", "gradient of 0.weight", "exp_avg of 2.bias"} <= names


def test_buffers_have_their_names_and_their_module():
    model = torch.nn.Sequential(torch.nn.Linear(8, 30), torch.nn.BatchNorm1d(30))
    with MemoryTreeRecorder() as memory:
        model(torch.ones(5, 8))
        data = memory.series("cpu")
    own = sum(p.nbytes for p in (*model[1].parameters(), *model[1].buffers()))
    results = [r for r in data["rows"] if r["name"] == "batch_norm"]
    made = sum(r["bytes"][0] for r in results)
    assert module_bytes(data, 0, "Sequential", "1") - made == own
    others = {r["name"] for r in data["rows"] if r["category"] == 4}
    assert {"1.running_mean", "1.running_var", "1.num_batches_tracked"} <= others


def test_what_no_module_has_named_is_told_by_its_category():
    model = torch.nn.Linear(10, 10, bias=False)
    adam = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 10)).sum().backward()
    adam.step()
    with MemoryTreeRecorder() as memory:
        rows = memory.series("cpu")["rows"]
    names = {r["name"] for r in rows if r["bytes"][0] == 400}
    assert names == {
        "a parameter",
        "gradient of a tensor",
        "exp_avg of a tensor",
        "exp_avg_sq of a tensor",
    }


def test_series_when_activations_are_held_books_their_module_and_line():
    model = torch.nn.Sequential(torch.nn.Linear(8, 30), torch.nn.ReLU())
    with MemoryTreeRecorder() as memory:
        y = model(torch.ones(5, 8))
        data = memory.series("cpu")
    (row,) = [r for r in data["rows"] if r["name"] == "relu"]
    assert data["modules"][row["module"]] == {"model": "Sequential", "path": "1"}
    assert data["lines"][row["line"]]["text"] == "y = model(torch.ones(5, 8))"
    assert row["bytes"][0] == y.numel() * 4


def test_what_no_line_has_made_is_told_by_what_it_is():
    model = torch.nn.Linear(10, 10)
    adam = torch.optim.Adam(model.parameters())
    x = torch.ones(3, 10)
    with MemoryTreeRecorder() as memory:
        model(x).sum().backward()
        adam.step()
        data = memory.series("cpu")
    held = {}
    for row in data["rows"]:
        text = data["lines"][row["line"]]["text"]
        held[text] = held.get(text, 0) + row["bytes"][0]
    assert held["parameters, made by no recorded operation"] == 4 * 110
    assert held["made in the backward pass"] == 4 * 110
    assert held["state of optimizers"] == 4 * (2 * 110 + 2)  # with both steps
    assert held["data and buffers, made by no recorded operation"] == x.numel() * 4


def test_series_when_two_models_are_of_one_class_numbers_them():
    with MemoryTreeRecorder() as memory:
        training = TRAININGS["gan"]()
        training.step()
        data = memory.series("cpu")
    labels = {m["model"] for m in data["modules"]}
    names = {"Sequential": training.generator, "Sequential_2": training.critic}
    assert names.keys() <= labels
    for name, model in names.items():
        rows = [
            r["bytes"][0]
            for r in data["rows"]
            if data["modules"][r["module"]]["model"] == name
            and data["categories"][r["category"]] == "parameter"
        ]
        assert sum(rows) == sum(p.numel() * 4 for p in model.parameters())


def test_series_when_replaced_each_step_shows_a_gradient_as_one_tensor():
    with MemoryTreeRecorder() as memory:
        training = mlp()
        for _ in range(3):
            training.step()
        data = memory.series("cpu")
    rows = [r for r in data["rows"] if r["name"] == "gradient of 0.weight"]
    assert any(r["counts"][2:] == [1, 1, 1] for r in rows)


def test_series_when_tensors_are_many_sums_the_small_and_cuts_no_total():
    with listening() as ledger, MemoryTreeRecorder() as memory:
        held = [torch.ones(1 + k % 50) * 2 for k in range(10_000)]
        data = memory.series("cpu")
    assert len(held) == 10_000
    assert len(data["rows"]) < 600
    assert sum(row["counts"][0] for row in data["rows"]) == 10_000
    assert totals(data, 0) == ledger.now()


def test_ledger_when_trained_long_keeps_nothing_that_no_moment_needs():
    with MemoryTreeRecorder() as memory:
        training = mlp()
        sizes = []
        for _ in range(120):
            training.step()
            sizes.append(len(memory._collector.history._freed))
    assert max(sizes[60:]) <= max(sizes[:60]) + 300


def test_replay_when_given_a_recording_shows_the_same():
    with MemoryTreeRecorder() as live, record() as recording:
        training = mlp()
        for _ in range(3):
            training.step()
        shown = live.series("cpu")
    data = recording.memory_tree("cpu")
    assert data["dropped"] == 0
    for i in range(len(shown["moments"])):
        assert totals(data, i) == totals(shown, i)


def test_replay_when_records_were_dropped_says_how_many():
    with record(size=100) as recording:
        held = [torch.ones(3) * k for k in range(400)]
    assert recording.memory_tree()["dropped"] == recording.dropped > 0
    assert len(held) == 400


@pytest.mark.parametrize("recorder", [MemoryRecorder, MemoryTreeRecorder])
def test_rev_when_memory_was_released_since_the_last_record_has_grown(recorder):
    with recorder() as memory:
        held = torch.ones(300) * 2
        before = memory.rev
        assert memory.rev == before
        del held
        assert memory.rev > before


def test_gradient_when_computed_again_is_told_of_by_one_record():
    x = torch.ones(300, requires_grad=True)
    told = []
    subscription = events.listen("test.gradient", told.append, 1)
    for _ in range(2):
        told.clear()
        x.grad = None
        (x * 2).backward(torch.ones(300))
    subscription.close()
    gradients = [r for r in told if "gradient" in r and r[0] in ("alloc", "cat")]
    assert [r[0] for r in gradients] == ["alloc"]


def test_series_when_nothing_ran_is_empty():
    data = MemoryTreeRecorder("test.nothing").series("cpu")
    assert data["rows"] == []
    assert [m["name"] for m in data["moments"]] == ["now", "peak"]


def test_series_when_a_gpu_is_full_keeps_that_moment():
    with torch.cuda.simulate(devices=1, memory="4MB"), MemoryTreeRecorder() as memory:
        x = torch.ones(300, device="cuda:0")
        with pytest.raises(torch.cuda.OutOfMemoryError):
            torch.ones(2**21, device="cuda:0")
        names = [m["name"] for m in memory.series("cuda:0")["moments"]]
    assert names[-1] == "out of memory on cuda:0: +8.00 MiB"
    assert x.numel() == 300
