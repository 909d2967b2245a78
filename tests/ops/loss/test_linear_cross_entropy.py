"""Cross entropy of a linear map's scores."""

import pytest

from tests.ops.cases import alike, derivatives, refused

LOSS = "F.linear_cross_entropy"
X = "seq[0, :, :3]"  # (4, 3)
W = "vol.reshape(-1)[:18].reshape(6, 3)"
T = "torch.tensor([0, 5, -100, 2])"
HOW = "torch.nn.LinearCrossEntropyOptions"
TWO = f"options={HOW}(batch_chunk_size=3)"
P = "torch.ones(4, 6).double() / 6"

CASES = [
    f"{LOSS}({X}, {W}, {T})",
    f"{LOSS}({X}, {W}, {T}, linear_bias=six, weight=six.detach().abs())",
    f"{LOSS}({X}, {W}, {T}, reduction='none')",
    f"{LOSS}({X}, {W}, {T} % 6, ignore_index=2, label_smoothing=0.2, reduction='sum')",
    f"{LOSS}({X}[0], {W}, {T}[0], linear_bias=six)",
    f"{LOSS}({X}, {W}.reshape(3, 2, 3), torch.tensor([[0, 1], [2, 2], [0, 0], [1, 2]]))",
]

BLOCKS = [
    f"{LOSS}({X}, {W}, {P}, label_smoothing=0.1)",
    f"{LOSS}({X}, {W}, {T}, {TWO})",
    f"{LOSS}({X}, {W}, {T}, options={HOW}())",
    f"{LOSS}({X}, {W}, {T}, linear_bias=six, weight=torch.arange(6.0).double(), {TWO})",
    f"{LOSS}({X}, {W}, {T}, reduction='sum', {TWO})",
    f"{LOSS}({X}, {W}, {T}, reduction='none', linear_bias=six, {TWO})",
    f"{LOSS}({X}[0], {W}, {T}[0], {TWO})",
    f"{LOSS}({X}[0], {W}, {T}[0], reduction='none', {TWO})",
    f"{LOSS}({X}.float(), {W}.float(), {T}, options={HOW}())",
]

SMOOTH = [CASES[0], BLOCKS[3], BLOCKS[5]]

REFUSED = [
    f"{LOSS}(scalar, {W}, {T})",
    f"{LOSS}({X}, six, {T})",
    f"{LOSS}({X}, {W}[:, :2], {T})",
    f"{LOSS}({X}, {W}, {T}, linear_bias=six[:2])",
    f"{LOSS}({X}[0], {W}.reshape(3, 2, 3), {T})",
    f"{LOSS}({X}, {W}, {P}, ignore_index=1)",
    f"{LOSS}({X}, {W}, {T} + 1)",
    f"{LOSS}({X}, {W}, {T}[:2])",
    f"{LOSS}({X}, {W}, {T} + 1, {TWO})",
    f"{LOSS}({X}, {W}, {T}[:3], {TWO})",
    f"{LOSS}({X}, {W}, {T}, weight=six[:5], {TWO})",
    f"{LOSS}({X}, {W}, {T}, reduction='all', {TWO})",
    f"{LOSS}({X}, {W}, {T}, options={HOW}(3, 3, 'aspect_ratio'))",
    f"{LOSS}({X}, {W}, {T}, options={HOW}(acc_dtype=torch.float32))",
]


@pytest.mark.parametrize("case", CASES)
def test_linear_cross_entropy_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", BLOCKS)
def test_linear_cross_entropy_by_blocks_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_linear_cross_entropy_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_linear_cross_entropy_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
