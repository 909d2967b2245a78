"""Calls that PyTorch's argument parser refuses, with its messages."""

import pytest

import edutorch as torch

F = torch.nn.functional
ones = torch.ones

CALLS = {
    "heaviside(): argument 'values' (position 2) must be Tensor, not int": (
        TypeError,
        lambda: torch.heaviside(ones(3), 2),
    ),
    "aminmax: Expected reduction dim 1 to have non-zero size.": (
        IndexError,
        lambda: torch.aminmax(ones(5, 0, 5), dim=1),
    ),
    "Input dimension should be at least 3": (
        ValueError,
        lambda: F.adaptive_avg_pool2d(ones(2, 2), (2, 2)),
    ),
    "Input dimension should be at least 4": (
        ValueError,
        lambda: F.adaptive_max_pool3d(ones(2, 2, 2), (2, 2, 2)),
    ),
    "dilation should be greater than zero": (
        RuntimeError,
        lambda: F.conv2d(ones(1, 1, 4, 4), ones(1, 1, 2, 2), dilation=-1),
    ),
    "dilation should be greater than zero, but got [1, 0]": (
        RuntimeError,
        lambda: F.conv1d(ones(1, 1, 4), ones(1, 1, 2), dilation=0),
    ),
    "Expected 3-dimensional input for 3-dimensional weight[1, 2, 2], but got "
    "4-dimensional input of size [1, 1, 4, 3] instead": (
        RuntimeError,
        lambda: F.conv2d(ones(1, 1, 4, 3), ones(1, 2, 2), ones(1), padding="same"),
    ),
    "The size of tensor a (4) must match the size of tensor b (5) at non-singleton "
    "dimension 1": (
        RuntimeError,
        lambda: F.soft_margin_loss(ones(5, 4), ones(5)),
    ),
    "weight must be one-dimensional": (
        ValueError,
        lambda: F.multi_margin_loss(ones(5, 4), ones(5), weight=torch.tensor(1.0)),
    ),
    "pad should be at most half of effective kernel size, but got pad=3, "
    "kernel_size=3 and dilation=2": (
        RuntimeError,
        lambda: F.max_pool1d(ones(1, 1, 49), 3, 1, 3, 2, return_indices=True),
    ),
    "max_pool3d_with_indices_out_cpu_template(): Expected input's non-batch dimensions "
    "to have positive length, but input has a shape of [2, 1, 0, 1, 2] and non-batch "
    "dimension 0 has length zero!": (
        RuntimeError,
        lambda: F.max_pool3d(ones(2, 1, 0, 1, 2), 1),
    ),
    "Expected shape of indices to be same as that of the input tensor ([8, 8, 1]) but "
    "got indices tensor with shape: [8, 7, 1]": (
        RuntimeError,
        lambda: F.max_unpool1d(ones(8, 8), ones(8, 7).long(), 3, 2),
    ),
    "Dimension out of range (expected to be between 0 and 0, but got 3 at index 0).": (
        RuntimeError,
        lambda: torch.empty_permuted((2,), (3,)),
    ),
    "Dimension specified as -1 but tensor has no dimensions": (
        IndexError,
        lambda: torch.fft.fft(torch.tensor(1.0)),
    ),
    "Dimension specified as 0 but tensor has no dimensions": (
        IndexError,
        lambda: torch.fft.rfftn(torch.tensor(1.0), dim=(0,)),
    ),
}


@pytest.mark.parametrize("words", CALLS)
def test_call_is_refused_with_pytorchs_message(words):
    kind, call = CALLS[words]
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    assert str(caught.value).startswith(words)


def test_to_takes_a_number_for_its_type():
    assert ones(1).to(True).dtype is torch.bool
    assert ones(1).to(1.5).dtype is torch.float64


def test_pool_of_windows_outside_names_the_first_cell_that_is_not_before_them():
    x = ones(1, 1, 15, 1)
    y, index = F.max_pool2d(x, (1, 2), (4, 2), (0, 1), (1, 2), True, True)
    assert y.flatten().tolist() == [float("-inf")] * 4
    assert index.flatten().tolist() == [1, 5, 9, 13]


@pytest.mark.parametrize(
    ("offsets", "error"), [([0, -1], IndexError), ([0, 2, 1], RuntimeError)]
)
def test_offsets_of_bags_that_do_not_ascend_are_refused(offsets, error):
    with pytest.raises(error):
        F.embedding_bag(torch.tensor([0, 1, 2]), ones(3, 2), torch.tensor(offsets))


def test_largest_of_no_rows_has_a_gradient_of_zeros():
    w = ones(3, 2).requires_grad_()
    none = torch.tensor([], dtype=torch.int64)
    F.embedding_bag(none, w, torch.tensor([0]), mode="max").sum().backward()
    assert w.grad.equal(torch.zeros(3, 2))


def test_keyword_of_a_functional_is_accepted_where_there_is_no_source():
    call = "torch.nn.functional.max_pool2d(torch.ones(2, 2), 2, return_indices=True)"
    with pytest.raises(RuntimeError, match="non-empty 3D or 4D"):
        eval(call, {"torch": torch})
