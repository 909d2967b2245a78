"""The stream of records: what is emitted, to whom, and what it keeps alive."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import events, memory_events, op_events


def kinds(records):
    return [r[0] for r in records]


def test_nothing_is_active_when_nobody_listens():
    assert not events.active
    with torch.no_grad():
        torch.ones(2) + 1


def test_records_hold_numbers_and_strings_only(seen):
    model = torch.nn.Linear(2, 1)
    model(torch.ones(3, 2)).sum().backward()

    def plain(value):
        if isinstance(value, tuple):
            return all(plain(v) for v in value)
        return value is None or isinstance(value, (int, float, str, bool))

    assert all(plain(field) for record in seen for field in record)


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


@pytest.mark.parametrize(
    ("kinds_heard", "level", "memory", "backward"),
    [
        (("op", "mod"), 1, False, False),
        (("op", "bwd"), 1, False, True),
        (("alloc", "free"), 1, True, True),
        (("stat",), 2, False, True),
    ],
)
def test_what_no_listener_requests_is_not_prepared(
    kinds_heard, level, memory, backward, monkeypatch
):
    called = set()
    for module, name in (
        (op_events, "announce_bwd"),
        (memory_events, "announce_gradient_alloc"),
        (memory_events, "recategorise"),
        (memory_events, "label_all"),
    ):
        announce = getattr(module, name)

        def noting(*args, name=name, announce=announce, **kwargs):
            called.add(name)
            return announce(*args, **kwargs)

        monkeypatch.setattr(module, name, noting)
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.Adam(model.parameters())
    listening = events.listen("some", lambda _: None, level, kinds_heard)
    model(torch.ones(3, 2)).relu().sum().backward()
    optimizer.step()
    listening.close()
    about_memory = {"announce_gradient_alloc", "recategorise", "label_all"}
    assert called & about_memory == (about_memory if memory else set())
    assert ("announce_bwd" in called) == backward
    assert not events.hears_memory and not events.hears_backward


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
    subscription = events.listen("test", ops.append, other=rest.append)
    x = torch.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    subscription.close()
    assert {record[0] for record in ops} == {"op"}
    assert {record[0] for record in rest} >= {"alloc", "bwd"}
    assert "op" not in {record[0] for record in rest}


def test_tap_is_handed_values_before_the_record_and_only_while_it_is_set(seen):
    class Copies:
        def __init__(self):
            self.calls = []

        def op(self, op, inputs, outputs):
            self.calls.append(("op", len(seen_ops()), [t.tolist() for t in outputs]))

        def bwd(self, node, gradient, results):
            self.calls.append(("bwd", gradient.tolist()))

        def read(self, read):
            self.calls.append(("read", read.tolist()))

        def optim(self, parameters):
            self.calls.append(("optim", len(parameters)))

    def seen_ops():
        return [r for r in seen if r[0] == "op"]

    taken = Copies()
    w = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    subscription = events.listen("taking", lambda record: None)
    subscription.change(1, ("op", "bwd", "optim"), taken)
    (w * 2).sum().backward()
    optimizer.step()
    subscription.change(1, ("mark",))
    w * 5
    assert taken.calls == [
        ("op", 0, [[2.0]]), ("op", 1, [2.0]), ("bwd", 1.0), ("bwd", [1.0]),
        ("bwd", [2.0]), ("optim", 1),
    ]  # fmt: skip
    assert events.taps == ()
    subscription.close()


def test_listener_at_level_1_is_handed_no_statistics_that_others_request():
    modest, curious = [], []
    listening = [
        events.listen("modest", modest.append, 1),
        events.listen("curious", curious.append, 3),
    ]
    _ = torch.ones(2, requires_grad=True) * 2
    for subscription in listening:
        subscription.close()
    assert {"stat", "range"} <= {record[0] for record in curious}
    assert not {"stat", "range"} & {record[0] for record in modest}
