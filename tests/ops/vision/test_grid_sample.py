"""Images looked at in any places."""

from itertools import product

import pytest

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
