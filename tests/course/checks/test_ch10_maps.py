from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course.checks.ch10_maps import (
    _OCCLUSION_MISTAKES,
    _SALIENCY_MISTAKES,
    IMAGE,
    _drawn_cover,
    _drawn_model,
    _example,
    _right_occlusion,
    _right_saliency,
)
from edutorch.course.compare import same_numbers
from edutorch.course.random_cases import Draw
from tests.course.solutions.ch10 import occlusion, saliency


def test_saliency_of_a_linear_model_is_a_row_of_its_weight():
    found = _right_saliency(_example(), IMAGE, 0)
    assert found.tolist() == [[1.0, 2.0], [0.0, 3.0]]


def test_occlusion_of_the_whole_image_is_its_score():
    assert _right_occlusion(_example(), IMAGE, 0, 2).item() == pytest.approx(9.0)


@pytest.mark.parametrize("seed", range(4))
def test_right_maps_are_the_solutions(seed):
    model, image, label, size, value = _drawn_cover(Draw((seed,)))
    found = _right_saliency(model, image, label)
    assert torch.allclose(found, saliency(model, image, label))
    covered = _right_occlusion(model, image, label, size, value)
    solution = occlusion(model, image, label, size, value)
    assert torch.allclose(covered, solution, atol=1e-5)


@pytest.mark.parametrize("words", _SALIENCY_MISTAKES)
def test_mistaken_saliency_differs_on_two_of_ten(words):
    given = [_drawn_model(Draw((seed,))) for seed in range(10)]
    right = [_right_saliency(*args) for args in given]
    made = [_SALIENCY_MISTAKES[words](*args) for args in given]
    pairs = zip(made, right, strict=True)
    assert sum(not same_numbers(m, r, 1e-5) for m, r in pairs) >= 2


@pytest.mark.parametrize("words", _OCCLUSION_MISTAKES)
def test_mistaken_occlusion_differs_on_two_of_ten(words):
    given = [_drawn_cover(Draw((seed,))) for seed in range(10)]
    right = [_right_occlusion(*args) for args in given]
    made = [_OCCLUSION_MISTAKES[words](*args) for args in given]
    pairs = zip(made, right, strict=True)
    assert sum(not same_numbers(m, r, 1e-4) for m, r in pairs) >= 2
