from __future__ import annotations

import json
import math

import pytest

import edutorch as torch
from edutorch.course.interactions import LogitSliders
from edutorch.course.interactions.logit_sliders import numbers_of, verdict
from edutorch.nn import functional as F
from tests.widgets.shared_fixtures import FIXTURES

CASES = json.loads((FIXTURES / "logit_sliders" / "numbers.json").read_text())
PAGES = {
    "z": "z",
    "targets": "targets",
    "p": "p",
    "gradient": "gradient",
    "paperExp": "paper_exp",
    "paperP": "paper_p",
}


def ids(cases):
    return [
        "{logits}-{shift}-{smoothing}-{temperature}".format(**case["given"])
        for case in cases
    ]


def plain(text):
    return float(text.replace("Infinity", "inf"))


@pytest.mark.parametrize("case", CASES, ids=ids(CASES))
def test_numbers_are_those_of_the_page(case):
    numbers = numbers_of(**case["given"])
    for theirs, ours in PAGES.items():
        want = [plain(v) for v in case[theirs]]
        assert getattr(numbers, ours) == pytest.approx(want, rel=1e-6, nan_ok=True)
    for theirs, ours in (("loss", numbers.loss), ("paperLoss", numbers.paper_loss)):
        want = plain(case[theirs])
        assert ours == pytest.approx(want, rel=1e-6, abs=1e-9, nan_ok=True)
    assert verdict(numbers) == case["verdict"]


@pytest.mark.parametrize("case", CASES, ids=ids(CASES))
def test_stable_numbers_are_those_of_the_library(case):
    given = case["given"]
    logits = torch.tensor([given["logits"]], dtype=torch.float32, requires_grad=True)
    z = (logits + given["shift"]) / given["temperature"]
    label = torch.tensor([given["right"]])
    loss = F.cross_entropy(z, label, label_smoothing=given["smoothing"])
    loss.backward()
    numbers = numbers_of(**given)
    assert numbers.loss == pytest.approx(loss.item(), rel=1e-4, abs=1e-6)
    assert numbers.gradient == pytest.approx(logits.grad[0].tolist(), abs=2e-5)


def test_paper_overflows_and_underflows_where_float32_ends():
    logits = [0.0, 0.0]
    assert numbers_of(logits, shift=88.0).paper_loss == pytest.approx(math.log(2))
    assert math.isnan(numbers_of(logits, shift=89.0).paper_loss)
    three = numbers_of([0.0, 0.0, 0.0], shift=88.0)
    assert "the sum of all exp is inf" in verdict(three)
    assert math.isfinite(numbers_of(logits, shift=-103.0).paper_loss)
    assert math.isnan(numbers_of(logits, shift=-104.0).paper_loss)


def test_text_has_a_line_for_each_class_and_says_what_became_of_paper():
    lines = LogitSliders(right=1, shift=1000.0).text().splitlines()
    assert lines[0].startswith("versicolor is right; 1000 added to all logits")
    assert lines[1].endswith("exp(1002) is inf in float32, and the loss nan.")
    assert len(lines) == 3 + 3
    assert lines[4].startswith("versicolor ✓")
    assert lines[4].split()[-2:] == ["inf", "nan"]


@pytest.mark.parametrize("shift", [-1000.0, 0.0, 1000.0])
def test_picture_says_the_verdict_and_stays_within_its_frame(shift):
    view = LogitSliders((-10.0, 10.0), ("a", "b"), shift=shift, temperature=0.1)
    picture = view.picture()
    numbers = numbers_of([-10.0, 10.0], shift=shift, temperature=0.1)
    assert verdict(numbers)[:20] in picture.svg()
    for kind, shape in picture.shapes:
        if kind == "rect":
            assert 0 <= shape["x"] <= shape["x"] + shape["w"] <= picture.width
            assert 0 <= shape["y"] <= shape["y"] + shape["h"] <= picture.height


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"logits": (11.0, 0.0), "classes": "ab"}, "logits: from -10 to 10, got 11"),
        ({"logits": (1.0,), "classes": "a"}, "two to five logits"),
        ({"logits": (1.0, 2.0)}, "2 logits and 3 names"),
        ({"right": 3}, "right: from 0 to 2"),
        ({"shift": 1001.0}, "shift: from"),
        ({"smoothing": 0.6}, "smoothing: from 0 to 0.5"),
        ({"temperature": 0.0}, "temperature: from 0.1 to 5"),
    ],
)
def test_settings_that_the_page_lacks_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        LogitSliders(**given)
