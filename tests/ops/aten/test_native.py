"""Normalisation and dropout with what their gradients are made of."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, refused

ONES = "torch.ones(4).double()"

CASES = [
    "torch.native_layer_norm(a, (3,), row, None, 1e-4)",
    "torch.native_layer_norm(img, (4, 3), None, None, 1e-4)[0]",
    "[t.detach() for t in torch.native_layer_norm(img, (4, 3), None, None, 1e-4)]",
    "torch.native_group_norm(img, ch, None, 2, 4, 12, 2, 1e-4)[0]",
    "torch.native_group_norm(img, ch, None, 2, 4, 12, 2, 1e-4)",
    "[t.detach() for t in torch.native_group_norm(img, ch, ch, 2, 4, 12, 2, 1e-4)]",
    f"torch.native_batch_norm(img, ch, None, {ONES} * 0, {ONES}, True, 0.2, 1e-4)",
    f"torch.native_batch_norm(img, ch, ch, {ONES} * 0, {ONES}, False, 0.2, 1e-4)",
    "torch.native_batch_norm(img * 0, ch, ch, None, None, True, 0.2, 0.0)",
    f"x = {ONES}; "
    "torch.native_batch_norm(img.detach() * 0, None, None, x * 0, x, True, 0.2, 0.0), x",
    "torch.manual_seed(3); torch.native_dropout(img, 0.3, True)",
    "torch.manual_seed(3); torch.native_dropout(img.detach(), 0.3, None)",
    "torch.native_dropout(img, 0.3, False)",
    "torch.native_dropout(a, 1.0, True)",
    "torch.embedding_renorm_(square.detach(), torch.tensor([2, 0, 2]), 0.9, 1.0)",
    "torch.conv_tbc(squares, posdef[:2], row)",
    "torch.conv_tbc(squares, posdef[:2], row, 1)",
]

REFUSED = [
    "torch.native_dropout(a, 1.5, True)",
    "torch.native_layer_norm(a, (2,), None, None, 1e-4)",
]


@pytest.mark.parametrize("case", CASES)
def test_native_layer_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", REFUSED)
def test_native_layer_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_embedding_renorm_returns_the_table_itself():
    w = torch.ones(3, 2)
    assert torch.embedding_renorm_(w, torch.tensor([1]), 1.0, 2.0) is w


def test_statistics_of_16_bits_are_not_rounded_on_the_meta_device():
    x = torch.ones(2, 3, dtype=torch.bfloat16, device="meta")
    for training, n in ((True, 3), (False, 3)):
        running = torch.zeros(3, device="meta"), torch.zeros(3, device="meta")
        _, mean, inverse = torch.native_batch_norm(
            x, None, None, *running, training, 0.1, 1e-5
        )
        assert mean.dtype is inverse.dtype is torch.float32 and mean.shape == (n,)
        assert mean.is_meta and inverse.is_meta
    assert torch.native_layer_norm(x, (3,), None, None, 1e-5)[1].dtype is torch.float32


def test_group_norm_of_a_transposed_tensor_is_refused():
    x = torch.ones(2, 4, 3).transpose(1, 2)
    with pytest.raises(
        RuntimeError, match=r"^Expected X.is_contiguous\(memory_format\)"
    ):
        torch.native_group_norm(x, None, None, 2, 3, 4, 1, 1e-5)
    image = torch.ones(2, 4, 3, 3).to(memory_format=torch.channels_last)
    assert torch.native_group_norm(image, None, None, 2, 4, 9, 2, 1e-5)[1].sum() == 4
