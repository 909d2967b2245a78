"""Images at another size."""

import pytest

from tests.ops.cases import alike, derivatives, refused

BYTES = "(img * 50 + 100).detach().byte()"

CASES = [
    "F.interpolate(img, scale_factor=(1.1, 1.2))",
    "F.interpolate(img, scale_factor=(2.1, 1.9))",
    "F.interpolate(img, scale_factor=(1, 1.1), mode='bilinear')",
    "F.interpolate(vol, scale_factor=(1.1, 1.4, 1.05), mode='trilinear')",
    "F.interpolate(img.detach(), scale_factor=1.1, mode='bicubic', antialias=True)",
    "F.interpolate(seq.detach(), scale_factor=1.1)",
    "F.interpolate(seq, 7)",
    "F.interpolate(img, (3, 5))",
    "F.interpolate(vol, scale_factor=1.5)",
    "F.interpolate(img, scale_factor=(1.7, 0.6))",
    "F.interpolate(img, scale_factor=1.7, recompute_scale_factor=True)",
    "F.interpolate(img, 7, mode='nearest-exact')",
    "F.interpolate(seq, scale_factor=0.6, mode='nearest-exact')",
    "F.interpolate(seq, 7, mode='linear')",
    "F.interpolate(seq, scale_factor=1.7, mode='linear')",
    "F.interpolate(img, (7, 2), mode='bilinear')",
    "F.interpolate(img, (7, 2), mode='bilinear', align_corners=True)",
    "F.interpolate(img, 1, mode='bilinear', align_corners=True)",
    "F.interpolate(vol, scale_factor=2, mode='trilinear')",
    "F.interpolate(img, (7, 2), mode='bicubic')",
    "F.interpolate(img, scale_factor=1.7, mode='bicubic', align_corners=True)",
    "F.interpolate(seq, 3, mode='area')",
    "F.interpolate(img, scale_factor=0.6, mode='area')",
    "F.interpolate(img, (2, 5), mode='bilinear', antialias=True)",
    "F.interpolate(img, scale_factor=0.7, mode='bicubic', antialias=True)",
    "F.interpolate(img, (2, 5), mode='lanczos', antialias=True)",
    f"F.interpolate({BYTES}, 7)",
    f"F.interpolate({BYTES}, (7, 2), mode='bilinear')",
    f"F.interpolate({BYTES}, (7, 2), mode='bicubic', align_corners=True)",
    f"F.interpolate({BYTES}, (2, 5), mode='bicubic', antialias=True)",
    "F.interpolate(img.detach().half(), 5, mode='bilinear')",
    "F.interpolate(img[:0], 5, mode='bilinear')",
    "F.upsample(img, 5)",
    "F.upsample_nearest(img, scale_factor=2)",
    "F.upsample_bilinear(img, 5)",
]

SMOOTH = [
    "F.interpolate(img, (7, 2), mode='nearest')",
    "F.interpolate(img, (7, 2), mode='bicubic')",
    "F.interpolate(vol, 3, mode='trilinear', align_corners=True)",
    "F.interpolate(img, (2, 5), mode='bilinear', antialias=True)",
]

REFUSED = [
    "F.interpolate(img, (True, 2))",
    'F.interpolate(img, [True, 2], mode="nearest-exact")',
    'F.interpolate(img, (True, 2), mode="area")',
    "F.interpolate(img)",
    "F.interpolate(img, 4, 2)",
    "F.interpolate(img, (4, 5, 6))",
    "F.interpolate(img, scale_factor=(4, 5, 6))",
    "F.interpolate(img, 4, recompute_scale_factor=True)",
    "F.interpolate(img, (2.5, 3))",
    "F.interpolate(img, 0)",
    "F.interpolate(img, -1)",
    "F.interpolate(seq, 0)",
    "F.interpolate(vol, (1, 0, 2))",
    "F.interpolate(img, scale_factor=0.1)",
    "F.interpolate(img[:, :, :0], 3)",
    "F.interpolate(img[:, :0], 3, mode='bilinear')",
    "F.interpolate(img, 5, mode='linear')",
    "F.interpolate(seq, 5, mode='bilinear')",
    "F.interpolate(seq, 5, mode='bicubic')",
    "F.interpolate(vol, 5, mode='foo')",
    "F.interpolate(a, 5, mode='linear')",
    "F.interpolate(img, 5, align_corners=True)",
    "F.interpolate(img, 5, antialias=True)",
    "F.interpolate(img, 5, mode='lanczos')",
    "F.interpolate(img, 5, mode='lanczos', antialias=True, align_corners=True)",
    "F.interpolate(img.int(), 5)",
    "F.interpolate(img.int(), 5, mode='bilinear')",
    "F.interpolate(seq.int(), 5)",
    "F.interpolate(img.bool(), 5, mode='bicubic')",
    "F.interpolate(seq.byte(), 5, mode='linear')",
    "F.interpolate(img.half(), 5, mode='bilinear', antialias=True)",
]


@pytest.mark.parametrize("case", CASES)
def test_interpolation_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_interpolation_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_interpolation_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
