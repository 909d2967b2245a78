"""`record()`: the ring, the exact totals, what is made of them."""

from __future__ import annotations

import gc
import math
import sys
import threading
import weakref

import numpy as np

import edutorch as torch
from edutorch import events
from edutorch.inspect import record


def test_counts_when_ops_run_are_exact_by_op_line_and_node():
    x = torch.ones(3, requires_grad=True)
    with record() as r:
        for _ in range(5):
            (x * 2).sum().backward()
    assert r.counts.ops["mul"].count == 5
    assert r.counts.backward["MulBackward0"].count == 5
    lines = [line for (file, line) in r.counts.lines if file == __file__]
    assert len(lines) == 1
    assert r.counts.lines[__file__, lines[0]].count == 10


def test_counts_when_the_ring_wraps_stay_exact():
    x = torch.ones(2)
    with record(size=50) as r:
        for _ in range(300):
            x + 1
    assert len(r.events) == 50
    assert r.counts.ops["add"].count == 300
    assert r.dropped == sum(r.counts.kinds.values()) - 50


def test_counts_when_threads_compute_miss_nothing():
    def work():
        x = torch.ones(2)
        for _ in range(500):
            x + 1

    with record(size=100) as r:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert r.counts.ops["add"].count == 2000


def test_events_when_read_hold_numbers_and_strings_only():
    x = torch.ones(3, requires_grad=True)
    with record(level=2) as r:
        (x * 2).sum().backward()

    def plain(value):
        if isinstance(value, tuple):
            return all(map(plain, value))
        return value is None or isinstance(value, (int, float, str, bool))

    assert all(plain(entry) for entry in r.events)
    assert {d["kind"] for d in r.as_dicts()} >= {"op", "bwd", "alloc", "stat"}


def test_bytes_when_an_op_makes_memory_are_counted():
    x = torch.ones(1000)
    with record() as r:
        x + 1
    assert r.counts.ops["add"].nbytes == 4000


def test_record_when_left_by_an_exception_stops_listening():
    try:
        with record():
            raise KeyError
    except KeyError:
        pass
    assert events.active == ()


def test_watched_steps_leave_no_tensor_alive():
    x = torch.ones(4, requires_grad=True)
    alive = []
    with record(level=2) as r:
        for _ in range(1000):
            y = (x * 2).sum()
            alive.append(weakref.ref(y))
            y.backward()
            events.next_step()
        del y
    gc.collect()
    assert r.counts.ops["mul"].count == 1000
    assert not any(ref() is not None for ref in alive)


def test_first_nonfinite_when_an_op_goes_wrong_names_it():
    x = torch.tensor([1.0, 0.0, -1.0])
    with record(level=2) as r:
        y = x * 2
        z = y.masked_fill(y < 1, math.nan)
        z.sum()
    found = r.first_nonfinite()
    assert found["name"] == "masked_fill"
    assert found["nonfinite"] == 2
    assert found["operands"][0] == {"min": -2.0, "max": 2.0}
    assert found["src"]["text"] == "z = y.masked_fill(y < 1, math.nan)"


def test_memory_when_tensors_die_falls_again():
    with record() as r:
        x = torch.ones(1000) + 1
        del x
        torch.ones(1) + 1
    series = r.memory("cpu")
    assert series["peak"] >= 8000
    assert series["now"] < 100


def test_gradients_when_recorded_at_level_2_have_norms_by_name():
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    events.names[events.tensor_id(w)] = "layer.w"
    with record(level=2) as r:
        ((w * w).sum() / 2).backward()
        events.next_step()
    series = r.gradients()
    assert series["layers"] == ["layer.w"]
    assert math.isclose(series["norms"][0][0], 5.0, rel_tol=1e-6)


def test_record_when_not_watching_costs_no_memory():
    x = torch.ones(2)
    before = sys.getrefcount(x)
    with record():
        x + 1
    assert sys.getrefcount(x) == before
    assert isinstance(x.numpy(), np.ndarray)


def test_every_gradient_that_grad_was_asked_for_leaves_the_books():
    w = torch.ones(4, requires_grad=True)
    with record() as r:
        torch.autograd.grad((w * w * 3).sum(), w)
        torch.ones(1)  # whose record follows what has been released
    opened = {e[6] for e in r.events if e[0] == "alloc" and e[10] == "gradient"}
    closed = {e[6] for e in r.events if e[0] == "free"}
    assert opened and opened <= closed
