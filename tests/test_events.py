"""The stream of records: what is emitted, to whom, and what it keeps alive."""

from __future__ import annotations

import gc
import weakref

import pytest

import edutorch as torch
from edutorch import events


@pytest.fixture
def seen():
    records = []
    subscription = events.listen("test", records.append)
    yield records
    subscription.close()


def kinds(records):
    return [r[0] for r in records]


def test_nothing_is_active_when_nobody_listens():
    assert not events.active
    with torch.no_grad():
        torch.ones(2) + 1


def test_op_record_has_the_fields_of_the_schema(seen):
    x = torch.ones(2, 3, requires_grad=True)
    y = x * 2  # the line to be found
    (record,) = [r for r in seen if r[0] == "op" and r[6] == "mul"]
    fields = events.as_dict(record)
    assert fields["v"] == events.SCHEMA
    assert fields["cls"] == "Mul" and fields["phase"] == "forward"
    assert fields["outputs"] == (y._tid,) and x._tid in fields["inputs"]
    assert fields["node"] == y.grad_fn.seq
    assert tuple(fields["shape"]) == (2, 3) and fields["dtype"] == "float32"
    where = events.source(fields["src"])
    assert where.file == __file__ and where.func.endswith("schema")


def test_records_hold_numbers_and_strings_only(seen):
    model = torch.nn.Linear(2, 1)
    model(torch.ones(3, 2)).sum().backward()

    def plain(value):
        if isinstance(value, tuple):
            return all(plain(v) for v in value)
        return value is None or isinstance(value, (int, float, str, bool))

    assert all(plain(field) for record in seen for field in record)


def test_backward_names_the_node_of_its_forward(seen):
    x = torch.ones(1, requires_grad=True)
    y = x.exp()
    y.backward()
    forward = next(events.as_dict(r) for r in seen if r[0] == "op" and r[6] == "exp")
    backward = [events.as_dict(r) for r in seen if r[0] == "bwd"]
    assert [b["name"] for b in backward] == ["ExpBackward0", "AccumulateGrad"]
    assert backward[0]["node"] == forward["node"]
    assert backward[1]["target"] == x._tid


def test_module_calls_nest_with_paths(seen):
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
    model(torch.ones(1, 2))
    calls = [events.as_dict(r) for r in seen if r[0] == "mod"]
    assert [(c["what"], c["path"]) for c in calls] == [
        ("enter", ""), ("enter", "0"), ("exit", "0"), ("enter", "1"), ("exit", "1"),
        ("exit", ""),
    ]  # fmt: skip
    assert calls[1]["parent"] == calls[0]["call"]


def test_allocations_and_frees_balance(seen):
    x = torch.ones(100) + 1
    made = [events.as_dict(r) for r in seen if r[0] == "alloc"][-1]
    assert made["nbytes"] == 400
    sid = made["storage"]
    x = x.view(10, 10)  # looks at the same memory, which is announced once
    x + 1
    gc.collect()
    assert not [r for r in seen if r[0] == "free" and r[6] == sid]
    del x
    gc.collect()
    torch.ones(1) + 1
    assert [r[6] for r in seen if r[0] == "free" and r[6] == sid] == [sid]


def test_gradient_that_becomes_grad_is_announced_once(seen):
    x = torch.ones(50, requires_grad=True)
    (x * 2).backward(torch.ones(50))
    told = [events.as_dict(r) for r in seen if r[0] == "alloc"]
    assert [t["nbytes"] for t in told if t["category"] == "gradient"] == [200]
    sid = next(t["storage"] for t in told if t["category"] == "gradient")
    assert not [r for r in seen if r[0] == "free" and r[6] == sid]
    x.grad = None
    events.drain()
    assert [r for r in seen if r[0] == "free" and r[6] == sid]


def test_gradient_that_is_a_view_takes_no_memory_of_its_own(seen):
    x = torch.ones(100, 100, requires_grad=True)
    y = x * 3
    seen.clear()
    y.sum().backward()  # whose gradient is one number, seen 10,000 times
    told = [events.as_dict(r) for r in seen if r[0] == "alloc"]
    gradients = [t["nbytes"] for t in told if t["category"] == "gradient"]
    assert sorted(gradients) == [4, 40_000]


def test_watched_training_keeps_no_tensor_alive(seen):
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    refs = []
    for _ in range(20):
        loss = model(torch.ones(2, 4)).sum()
        refs.append(weakref.ref(loss))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    del loss
    assert sum(r() is not None for r in refs) == 0


def test_failing_op_is_reported_before_the_exception(seen):
    with pytest.raises(RuntimeError):
        torch.ones(2) + torch.ones(3)
    failed = [events.as_dict(r) for r in seen if r[0] == "op" and r[-1]]
    assert failed[0]["name"] == "add" and "must match" in failed[0]["error"]


def test_listening_again_under_a_name_replaces():
    first, second = [], []
    a = events.listen("again", first.append)
    b = events.listen("again", second.append)
    torch.ones(1) + 1
    assert not a.open and b.open
    assert not first and "op" in kinds(second)
    a.close()
    assert b.open
    b.close()
    assert not events.active


def test_level_is_the_highest_asked_for():
    a = events.listen("low", lambda r: None, level=1)
    b = events.listen("high", lambda r: None, level=2)
    assert events.level == 2
    b.level = 1
    assert events.level == 1
    a.close()
    b.close()
    assert events.level == 0


def test_level_2_adds_statistics():
    records = []
    subscription = events.listen("stats", records.append, level=2)
    torch.arange(4.0) * 2
    subscription.close()
    stats = [events.as_dict(r) for r in records if r[0] == "stat"]
    assert (
        stats[-1]["max"] == 6.0 and stats[-1]["zeros"] == 1 and stats[-1]["numel"] == 4
    )


def test_optimizer_step_ends_a_training_step(seen):
    before = events.step
    p = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([p], lr=0.1)
    p.sum().backward()
    optimizer.step()
    assert events.step == before + 1
    assert any(r[0] == "mark" and r[6] == "step" for r in seen)


def test_listen_when_given_a_handler_for_the_rest_hands_it_all_but_ops():
    ops, rest = [], []
    subscription = events.listen("test", ops.append, rest=rest.append)
    x = torch.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    subscription.close()
    assert {record[0] for record in ops} == {"op"}
    assert {record[0] for record in rest} >= {"alloc", "bwd"}
    assert "op" not in {record[0] for record in rest}
