"""The maps: their numbers are the page's to the last bit, and right by autograd."""

from __future__ import annotations

import json

import numpy as np
import pytest

import edutorch as torch
from edutorch.course.interactions import GradcheckMaps
from edutorch.course.interactions.gradcheck_maps import (
    LAYER,
    MISTAKES,
    STEPS,
    analytic,
    checked,
    errors_by_step,
    layer,
    passes,
    step_text,
    verdict,
)
from tests.widgets.shared_fixtures import FIXTURES

SHARED = json.loads((FIXTURES / "gradcheck_maps" / "gradients.json").read_text())
CASES = SHARED["cases"]
IDS = ["{mistake}-{precision}-{h}".format(**case["given"]) for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_gradients_in_the_page_and_here_are_the_same_to_the_last_bit(case):
    found = checked(**case["given"])
    for i, (name, compared) in enumerate(found.items()):
        assert compared.analytic.astype(float).tolist() == case["analytic"][i], name
        assert compared.numeric.astype(float).tolist() == case["numeric"][i], name
        assert verdict(name, compared, 1e-4) == case["verdicts"][i]
    assert passes(found, 1e-4) == case["passes"]


def test_layer_and_steps_of_the_page_are_these():
    assert {name: [list(r) for r in rows] for name, rows in LAYER.items()} == SHARED[
        "layer"
    ]
    assert [step_text(h) for h in STEPS] == SHARED["steps"]


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_gradients_without_a_mistake_are_those_of_autograd(precision):
    given = {name: torch.from_numpy(v) for name, v in layer(precision).items()}
    for name in "xwb":
        given[name].requires_grad_()
    y = (given["x"] @ given["w"] + given["b"]) ** 3
    (y * given["r"]).sum().backward()
    tolerance = 1e-12 if precision == "float64" else 1e-4
    for name, values in analytic(precision, "none").items():
        expected = given[name].grad.numpy()
        np.testing.assert_allclose(values, expected, rtol=tolerance, atol=1e-5)


@pytest.mark.parametrize(
    ("mistake", "wrong"),
    [
        ("none", ""),
        ("transpose", "w"),
        ("broadcast", "b"),
        ("incoming", "wbx"),
        ("mean", "b"),
    ],
)
def test_mistake_is_seen_in_its_own_tensors_alone(mistake, wrong):
    found = checked("float64", mistake, 1e-5)
    agrees = {name: "agrees" in verdict(name, c, 1e-6) for name, c in found.items()}
    assert agrees == {name: name not in wrong for name in "wbx"}


def test_error_over_the_step_is_a_v_unless_backward_is_wrong():
    right = errors_by_step("float64", "none")
    assert right[0] > 0.1 < right[-1]
    assert min(right) < 1e-9
    assert min(errors_by_step("float32", "none")) > 1e-4
    for mistake in ("transpose", "incoming", "mean"):
        assert min(errors_by_step("float64", mistake)) > 0.5


@pytest.mark.parametrize("mistake", MISTAKES)
def test_text_and_picture_say_the_same(mistake):
    view = GradcheckMaps(mistake)
    lines = view.text().splitlines()
    svg = view.picture().svg()
    assert MISTAKES[mistake] in lines[0]
    for line in lines[:2] + [line for line in lines[2:] if not line.startswith(" ")]:
        assert line in svg


@pytest.mark.parametrize("mistake", MISTAKES)
def test_picture_stays_within_its_frame(mistake):
    picture = GradcheckMaps(mistake, step=1.0, precision="float32").picture()
    boxes = [shape for kind, shape in picture.shapes if kind == "rect"]
    assert max(box["y"] + box["h"] for box in boxes) <= picture.height
    assert max(box["x"] + box["w"] for box in boxes) <= picture.width
    lines = [shape for kind, shape in picture.shapes if kind == "line"]
    assert all(
        0 <= x <= picture.width and 0 <= y <= picture.height
        for line in lines
        for x, y in line["points"]
    )


def test_settings_that_the_page_lacks_are_refused():
    for wrong in (
        {"mistake": "sign"},
        {"precision": "float16"},
        {"step": 3e-5},
        {"tolerance": 1e-3},
    ):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))} is one of"):
            GradcheckMaps(**wrong)
