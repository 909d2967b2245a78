"""Layers as `torch` has them."""

import pytest

from tests.ops.cases import alike, refused

INDEX, STARTS = "torch.tensor([1, 2, 0, 2, 0])", "torch.tensor([0, 2, 2])"
ONES = "torch.ones(4).double()"

CASES = [
    "torch.adaptive_max_pool1d(seq, 3)",
    f"torch.batch_norm(img, ch, None, {ONES} * 0, {ONES}, True, 0.2, 1e-4, True)",
    f"torch.batch_norm(img, ch, ch, {ONES} * 0, {ONES}, False, 0.2, 1e-4, True)",
    "torch.instance_norm(img, None, ch, None, None, True, 0.2, 1e-4, False)",
    f"torch.embedding(square, {INDEX})",
    f"torch.embedding(square, {INDEX}, 1, True)",
    *(
        f"torch.embedding_bag(square, {INDEX}, {STARTS}, False, {mode})"
        for mode in (0, 1, 2)
    ),
    f"torch.embedding_bag(square.float(), {INDEX}, {STARTS})",
    f"torch.embedding_bag(square, {INDEX}, {STARTS}, include_last_offset=True)",
    "torch.convolution(seq, w1[:, :2], bias, [2], [1], [1], False, [0], 2)",
    "torch.convolution(img, w2, bias, [1, 2], [1, 0], [1, 1], False, [0, 0], 2)",
    "torch.convolution(img, t2, None, [2, 2], [0, 1], [1, 1], True, [1, 0], 2)",
    "torch.convolution(vol, w3, None, (1,) * 3, (0,) * 3, (1,) * 3, False, (0,) * 3, 1)",
]


@pytest.mark.parametrize("case", CASES)
def test_layer_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


def test_layer_refused_by_pytorch_is_refused_alike():
    refused(__file__, "torch.embedding(square, torch.tensor([3]))")
