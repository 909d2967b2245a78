"""Causes of leaks, found from single paths; programs are in test_leaks.py."""

from __future__ import annotations

import pytest

from edutorch.callers import Source
from edutorch.inspect import leak_causes
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


WITH_GRAPH = "tensor 3 float32 with grad_fn"


@pytest.fixture
def only_near(monkeypatch):
    """No other lines of this process are searched than those of a test."""
    monkeypatch.setattr(leak_causes, "program_files", list)


def filled(kind, *hops, code="losses", scalar=True):
    """The path to the graph of a tensor in a container."""
    root = Root("variable", code, "a variable of the notebook", None)
    graph = Hop(".grad_fn", "node SumBackward0", "graph")
    names = [code, *(hop.code.strip(".[']") for hop in hops[:-1])]
    return Path(root, kind, [*hops, graph], names, tensor=True, scalar=scalar)


ELEMENT = Hop("[8]", WITH_GRAPH, "index")


@pytest.mark.parametrize(
    ("way", "change"),
    [
        (filled("list of 9", ELEMENT), "losses.append(loss.item())"),
        (filled("list of 9", ELEMENT, scalar=False), "losses.append(loss.detach())"),
        (
            filled("dict of 9", Hop("[8]", WITH_GRAPH, "key")),
            "losses[key] = loss.item()",
        ),
        (
            filled(
                "Log",
                Hop(".kept", "dict of 1", "attribute"),
                Hop("['a']", "list of 9", "key"),
                ELEMENT,
                code="log",
            ),
            "log.kept['a'].append(loss.item())",
        ),
        (
            filled("list of 9", Hop("[8]", "tuple of 2", "index"), ELEMENT),
            "losses.append(loss.item())",
        ),
    ],
)
@pytest.mark.usefixtures("only_near")
def test_container_without_a_known_line_gets_advice_that_fits_it(tmp_path, way, change):
    code = tmp_path / "train.py"
    code.write_text("loss = model(x)\nput(loss)\n")
    cause = cause_of(way, near=Source(str(code), 1, ""))
    assert cause["kind"] == "kept"
    assert (cause["src"], cause["how"]) == (None, "store it as")
    assert cause["change"] == change


@pytest.mark.usefixtures("only_near")
def test_container_of_unnamed_tensors_names_none_in_its_advice():
    assert cause_of(filled("list of 9", ELEMENT, code="unseen_losses"))["change"] == (
        "unseen_losses.append(value.item())"
    )


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("losses += [loss]", "losses += [loss.item()]"),
        ("losses = losses + [loss]", "losses = losses + [loss.item()]"),
        ("losses += [i, loss]", "losses.append(value.item())"),
    ],
)
@pytest.mark.usefixtures("only_near")
def test_line_that_joins_lists_stores_a_number_in_them(tmp_path, text, change):
    code = tmp_path / "train.py"
    code.write_text(f"put(loss)\n{text}\n")
    near = Source(str(code), 1, "")
    assert cause_of(filled("list of 9", ELEMENT), near=near)["change"] == change


@pytest.mark.usefixtures("only_near")
def test_tuple_carried_from_step_to_step_is_cut_in_all_its_parts():
    cause = cause_of(filled("tuple of 2", ELEMENT, code="unseen_state"))
    assert cause["kind"] == "state"
    assert cause["change"] == ("unseen_state = tuple(s.detach() for s in unseen_state)")
