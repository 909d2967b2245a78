"""Causes that paths tell, one by one; those of programs are in test_leaks.py."""

from __future__ import annotations

import pytest

from edutorch.callers import Source
from edutorch.inspect.leak_causes import CAUSES, cause_of
from edutorch.inspect.reference_names import Hop, Path
from edutorch.inspect.reference_roots import Root

TENSOR = "tensor 3 float32"


def path(kind="variable", code="x", what=TENSOR, hops=(), **facts):
    root = Root(kind, code, "a variable of the notebook", None)
    return Path(root, what, list(hops), [code], tensor=True, **facts)


CASES = [
    (path("out", "Out[3]"), "out", "%xdel _3"),
    (path("out", "__"), "out", "%xdel __"),
    (path("error", "sys.last_value", frames=("fail",)), "error", "sys.last_exc ="),
    (path(hops=[Hop(".__traceback__", "traceback", "error")]), "error", "del x"),
    (path(optimizer=True, what="Adam"), "optimizer", "del x"),
    (path(hops=[Hop(".grad", TENSOR, "grad")]), "gradient", "x.grad = None"),
    (path(hops=[Hop("z", TENSOR, "closure")], what="function f"), "closure", "del x"),
    (path("local"), "running", "del x"),
    (path("module", "", "dict of 3"), "module", ""),
    (path(), "variable", "del x"),
    (path(bound=5, what="deque of 5, at most 5"), "bounded", ""),
    (None, "cycle", "gc.collect()"),
]


@pytest.mark.parametrize(("way", "kind", "change"), CASES)
def test_cause_is_named_with_its_change(way, kind, change):
    cause = cause_of(way)
    assert cause["kind"] == kind
    assert cause["title"] == CAUSES[kind]
    assert cause["change"].startswith(change)
    assert bool(cause["how"]) == bool(change)


def test_container_is_spelled_from_its_variable(tmp_path):
    code = tmp_path / "train.py"
    code.write_text('trainer.history["w"].append(model.weight.clone())\n')
    hops = [
        Hop(".history", "dict of 1", "attribute"),
        Hop("['w']", "list of 9", "key"),
        Hop("[8]", "tensor 2×2 float32", "index"),
    ]
    root = Root("variable", "trainer", "a variable of the notebook", None)
    way = Path(root, "Trainer", hops, ["trainer", "history", "w"], tensor=True)
    cause = cause_of(way, near=Source(str(code), 1, ""))
    assert cause["kind"] == "stored"
    assert cause["change"] == "trainer.history['w'].clear()"
    assert cause["why"].startswith("trainer.history['w'] keeps a tensor")
