from __future__ import annotations

import json

import numpy as np
import pytest

import edutorch as torch
from edutorch.course.interactions.conv_stepper import KERNELS, ConvStepper, convolve
from edutorch.nn import functional as F
from tests.widgets.shared_fixtures import FIXTURES

CASES = json.loads((FIXTURES / "conv_stepper" / "outputs.json").read_text())
IDS = ["{name}-{given[stride]}-{given[padding]}-{given[at]}".format(**c) for c in CASES]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_outputs_and_gradient_are_those_of_the_page(case):
    given = case["given"]
    at = given["at"] and tuple(given["at"])
    done = convolve(
        given["image"], KERNELS[case["name"]], given["stride"], given["padding"], at
    )
    assert done.outputs == pytest.approx(np.array(case["outputs"]), abs=1e-9)
    assert done.gradient == pytest.approx(np.array(case["gradient"]), abs=1e-9)


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("padding", [0, 1, 2])
@pytest.mark.parametrize("at", [None, (1, 0)])
def test_outputs_and_gradient_are_those_of_the_library(stride, padding, at):
    pixels = np.random.default_rng(9).standard_normal((7, 6))
    x = torch.tensor(pixels[None, None], requires_grad=True)
    w = torch.tensor(np.array(KERNELS["sharpen"], dtype=float)[None, None])
    y = F.conv2d(x, w, stride=stride, padding=padding)[0, 0]
    (y.sum() if at is None else y[at]).backward()
    done = convolve(pixels, KERNELS["sharpen"], stride, padding, at)
    assert done.outputs == pytest.approx(y.detach().numpy(), abs=1e-9)
    assert done.gradient == pytest.approx(x.grad[0, 0].numpy(), abs=1e-9)


def test_kernel_larger_than_the_image_has_no_outputs():
    assert convolve(np.ones((2, 2)), np.ones((3, 3))).outputs.shape == (0, 0)


def test_text_tells_the_product_and_all_outputs():
    image = torch.arange(12.0).reshape(3, 4)
    lines = ConvStepper(image, "right - left", at=(0, 1)).text().split("\n")
    assert lines[0].endswith("stride 1, padding 0: 1 × 2 outputs.")
    assert lines[1] == "Output (0, 1): -1·1 + 1·3 + -1·5 + 1·7 + -1·9 + 1·11 = 6"
    assert lines[3].split() == ["6", "6"]


@pytest.mark.parametrize("padding", [0, 2])
def test_picture_says_the_product_and_stays_within_its_frame(padding):
    view = ConvStepper(torch.zeros(12, 12), padding=padding)
    picture = view.picture()
    assert "12 × 12 pixels" in picture.svg()
    boxes = [shape for kind, shape in picture.shapes if kind == "rect"]
    assert max(box["x"] + box["w"] for box in boxes) <= picture.width
    assert max(box["y"] + box["h"] for box in boxes) <= picture.height


def test_settings_that_the_page_lacks_are_refused():
    with pytest.raises(ValueError, match="stride is 1, 2 or 3"):
        ConvStepper(stride=4)
    with pytest.raises(ValueError, match="an image of 3 to 12"):
        ConvStepper(torch.ones(2, 8))
    with pytest.raises(ValueError, match="a 3 × 3 kernel"):
        ConvStepper(kernel=[[1, 2], [3, 4]])
    with pytest.raises(KeyError):
        ConvStepper(kernel="emboss")
