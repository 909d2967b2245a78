"""The ribbon: the page's steps and words, and those of the library itself."""

from __future__ import annotations

import json
import math
import traceback
import warnings

import pytest

import edutorch as torch
from edutorch.course.interactions import StackRibbon
from edutorch.course.interactions.stack_ribbon import PROGRAMS, anomaly, run
from tests.widgets.shared_fixtures import FIXTURES

CASES = json.loads((FIXTURES / "stack_ribbon" / "steps.json").read_text())
IDS = ["{name}-{x}".format(**case["given"]) for case in CASES]
WORDS = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}


def loss_of(name, x):
    """The program's loss, by the library, as its lines say."""
    names = {"where": torch.where, "x": x}
    exec("\n".join(PROGRAMS[name].lines[:-1]), names)
    return names["loss"]


def reported(name, x):
    """The node that the library's anomaly detection names, and its notes."""
    try:
        with warnings.catch_warnings(action="ignore"), torch.autograd.detect_anomaly():
            loss_of(name, x).backward()
    except RuntimeError as error:
        return str(error).split("'")[1], "\n".join(error.__notes__)
    return "reports nothing", ""


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_steps_of_the_page_are_these(case):
    steps = run(**case["given"])
    assert list(PROGRAMS[case["given"]["name"]].lines) == case["lines"]
    for step, page in zip(steps, case["steps"], strict=True):
        assert [step.made, step.backward, step.node, list(step.stack), step.words] == [
            page[key] for key in ("made", "backward", "node", "stack", "words")
        ]
        numbers = [float(WORDS.get(text, text)) for text in page["numbers"]]
        found = [step.arrived or 0.0, *step.values]
        assert found == pytest.approx(numbers, rel=1e-5, nan_ok=True)
    assert anomaly(**case["given"]) == case["anomaly"]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_nodes_and_gradients_are_those_of_the_library(case):
    name, at = case["given"]["name"], case["given"]["x"]
    x = torch.tensor(float(at), requires_grad=True)
    theirs = list(loss_of(name, x).backward_steps())
    ours = [step for step in run(name, at) if step.backward]
    assert [step.node for step in ours] == [step.name for step in theirs]
    for step, other in zip(ours, theirs, strict=True):
        arrived = other.grad_outputs[0].item()
        assert step.arrived == pytest.approx(arrived, rel=1e-5, nan_ok=True)
        leaves = [g.item() for g in other.grad_inputs if g is not None]
        assert list(step.values) == pytest.approx(
            leaves[: len(step.values)], rel=1e-5, nan_ok=True
        )


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_report_is_that_of_anomaly_detection(case):
    name, at = case["given"]["name"], case["given"]["x"]
    x = torch.tensor(float(at), requires_grad=True)
    said = anomaly(name, at)
    theirs, notes = reported(name, x)
    assert theirs in said
    for words in ("first value that is not finite", "first gradient that is not"):
        assert (words in notes) == (words in said)


def test_line_that_made_a_node_is_on_the_stack_in_forward_alone():
    seen = []

    def look(g):
        seen.append([frame.name for frame in traceback.extract_stack()])

    def length(x):
        s = x.sqrt()
        s.register_hook(look)
        return s

    length(torch.tensor(4.0, requires_grad=True)).backward()
    assert "steps" in seen[0]
    assert "length" not in seen[0]
    forward, backward = run("length", 1.0)[1], run("length", 1.0)[4]
    assert forward.made == backward.made
    assert any("line 3" in frame for frame in forward.stack)
    assert not any("line 3" in frame for frame in backward.stack)


@pytest.mark.parametrize("name", PROGRAMS)
def test_text_and_picture_say_what_becomes_of_x(name):
    for x in PROGRAMS[name].places:
        view = StackRibbon(name, x)
        whole = run(name, x)[-1].arrived
        assert ("x.grad = nan" in view.text()) == math.isnan(whole)
        assert view.text().splitlines()[1] in view.picture().svg()


@pytest.mark.parametrize("name", PROGRAMS)
def test_picture_stays_within_its_frame(name):
    picture = StackRibbon(name, PROGRAMS[name].places[0]).picture()
    for kind, shape in picture.shapes:
        if kind == "rect":
            assert 0 <= shape["x"] <= shape["x"] + shape["w"] <= picture.width
            assert 0 <= shape["y"] <= shape["y"] + shape["h"] <= picture.height


def test_settings_that_the_page_lacks_are_refused():
    with pytest.raises(ValueError, match="program is one of"):
        StackRibbon("sum")
    with pytest.raises(ValueError, match="x is one of"):
        StackRibbon("length", 0.5)
