"""Lines pooled as images of height 1, where a gradient is needed."""

import pytest

import edutorch as torch

F = torch.nn.functional
POOLS = [
    lambda x: F.max_pool1d(x, 3, 2, 1),
    lambda x: F.max_pool1d(x, 3, 2, 1, return_indices=True)[1],
    lambda x: F.avg_pool1d(x, 3, 2, 1),
    lambda x: F.adaptive_avg_pool1d(x, 4),
    lambda x: F.adaptive_max_pool1d(x, 4),
]


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("shape", [(2, 3, 9), (3, 9)])
def test_lines_have_the_same_values_with_and_without_a_gradient(pool, shape):
    x = torch.randn(shape)
    y, z = pool(x), pool(x.clone().requires_grad_())
    assert torch.equal(y, z) and y.stride() == z.stride()


def test_line_becomes_an_image_and_a_line_again():
    y = F.max_pool1d(torch.randn(2, 3, 9, requires_grad=True), 3)
    names = []
    node = y.grad_fn
    while node is not None and node.next_functions:
        names.append(node.name())
        node = node.next_functions[0][0]
    assert names == [
        "SqueezeBackward1", "MaxPool2DWithIndicesBackward0", "UnsqueezeBackward0",
    ]  # fmt: skip


def test_a_list_is_no_line():
    with pytest.raises(TypeError, match="argument 'input' .* must be Tensor, not list"):
        torch.nn.functional.adaptive_avg_pool1d([1.0], 5)
