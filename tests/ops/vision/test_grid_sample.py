"""Images looked at in any places."""

from itertools import product

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

# Places inside and outside, none of them where a derivative jumps.
PLANE = "(img[:, :3, :, :2] * 0.7 + 0.013)"
GRID = "(vol.transpose(1, 4)[..., [0, 1, 0]] * 0.7 + 0.013)"

KINDS = list(product(("bilinear", "nearest", "bicubic"),
                     ("zeros", "border", "reflection"), (False, True)))  # fmt: skip

CASES = [
    *(f"F.grid_sample(img, {PLANE}, {m!r}, {p!r}, {a})" for m, p, a in KINDS),
    *(f"F.grid_sample(vol, {GRID}, {m!r}, {p!r}, {a})"
      for m, p, a in KINDS if m != "bicubic"),
    f"F.grid_sample(img[:0], {PLANE}[:0])",
    f"F.grid_sample(img[:, :0], {PLANE})",
    f"torch.grid_sampler(img, {PLANE}, 0, 1, True)",
]  # fmt: skip

SMOOTH = [
    *(f"F.grid_sample(img[:1, :2], {PLANE}[:1], {m!r}, {p!r}, False)"
      for m, p, a in KINDS if a and m != "nearest"),
    f"F.grid_sample(vol, {GRID}, 'bilinear', 'reflection', True)",
]  # fmt: skip

REFUSED = [
    f"F.grid_sample(img, {GRID})",
    f"F.grid_sample(vol, {GRID}[..., :2])",
    f"F.grid_sample(img, {PLANE}[..., :1])",
    f"F.grid_sample(img, {PLANE}[:1])",
    f"F.grid_sample(img, {PLANE}, 'foo')",
    f"F.grid_sample(img, {PLANE}, padding_mode='foo')",
    f"F.grid_sample(vol, {GRID}, 'bicubic')",
    f"F.grid_sample(img, {PLANE}.float())",
    f"F.grid_sample(img.int(), {PLANE}.int())",
    f"F.grid_sample(img[:, :, :0], {PLANE})",
]


@pytest.mark.parametrize("case", CASES)
def test_grid_sample_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_grid_sample_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_grid_sample_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("of", [0, 1])
def test_second_derivatives_of_the_nearest_pixel_reach_what_they_reach_in_pytorch(of):
    x, grid = torch.ones(1, 1, 2, 2), torch.zeros(1, 1, 1, 2)
    x.requires_grad_(), grid.requires_grad_()
    y = torch.nn.functional.grid_sample(x, grid, "nearest", align_corners=True)
    first = torch.autograd.grad(y.sum(), (x, grid), create_graph=True)
    again = torch.autograd.grad(first[of].sum(), (x, grid), allow_unused=True)
    assert first[of].requires_grad
    assert again[0] is None
    assert again[1] is None if of else torch.equal(again[1], torch.zeros(1, 1, 1, 2))
