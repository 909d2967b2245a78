"""Dimensions as users give them."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.ops.dims import dim_of, dims_of, keepdim_shape, ndim_of
from tests.ops.cases import alike, refused


def test_negative_dimensions_count_from_the_end():
    assert dim_of(-1, 3) == 2 and dim_of(0, 0) == 0
    assert dims_of((-1, 0), 3) == (2, 0)
    assert dims_of(None, 3) is None


def test_missing_and_repeated_dimensions_are_refused():
    with pytest.raises(IndexError, match=r"range of \[-2, 1\], but got 2"):
        dim_of(2, 2)
    with pytest.raises(RuntimeError, match="dim 1 appears multiple times"):
        dims_of((1, -1), 2)


def test_kept_shape_has_ones_where_was_reduced():
    assert keepdim_shape((2, 3, 4), (1,)) == (2, 1, 4)
    assert keepdim_shape((2, 3), None) == (1, 1)


NAMED = [
    "a.sum(axis=0, keepdims=True)",
    "torch.sum(a, axis=(0, 1))",
    "a.mean(axis=1)",
    "a.std(axis=0, keepdims=True)",
    "torch.var(a, axis=-1)",
    "a.prod(axis=1)",
    "singles.argmax(axis=1)",
    "singles.argsort(axis=0)",
    "singles.sort(axis=0).values",
    "singles.max(axis=0).values",
    "torch.min(singles, axis=1, keepdims=True).values",
    "singles.amax(axis=1)",
    "mask.all(axis=0)",
    "mask.any(axis=1, keepdims=True)",
    "a.cumsum(axis=1)",
    "torch.cumprod(a, axis=0)",
    "a.logsumexp(axis=1)",
    "singles.median(axis=1).values",
    "torch.cat([a, b], axis=1)",
    "torch.stack([a, b], axis=1)",
    "torch.chunk(singles, 2, axis=1)",
    "a.squeeze(axis=0)",
    "a.unsqueeze(axis=1)",
    "a.softmax(axis=0)",
    "torch.log_softmax(a, axis=1)",
    "torch.linalg.norm(a, axis=1)",
    "torch.linalg.vector_norm(a, axis=0, keepdims=True)",
    "torch.topk(singles, 1, axis=0).values",
    "singles.kthvalue(1, axis=0, keepdims=True).values",
    "torch.cross(torch.ones(3, 2), torch.eye(3)[:, :2], axis=0)",
    "torch.linalg.cross(torch.ones(3, 2), torch.eye(3)[:, :2], axis=0)",
    "torch.tensor_split(singles, 2, axis=1)",
    "singles.split_with_sizes([1, 1], axis=0)",
    "singles.unsafe_chunk(2, axis=1)",
    "torch.take_along_dim(singles, singles.argsort(1), axis=1)",
    "torch.hash_tensor(singles, axis=0, keepdims=True)",
    "torch.fft.fft(singles, axis=0)",
    "torch.fft.hfft(singles, axis=0)",
    "torch.fft.rfftn(singles, axis=0)",
    "torch.fft.irfft2(singles, axis=(1, 0))",
    "torch.fft.fftshift(singles, axis=0)",
]


@pytest.mark.parametrize("case", NAMED)
def test_dimensions_by_names_of_numpy_are_those_of_pytorch(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize(
    "case",
    [
        "torch.sum(singles, dim=0, axis=0)", "singles.cumsum(1, axis=0)",
        "torch.topk(singles, 1, 0, axis=1)", "torch.fft.fft(singles, dim=0, axis=0)",
        "torch.cat([singles], 1, axis=0)", "singles.max(1, axis=0)",
        "torch.fft.irfft2(singles, dim=(0, 1), axis=(0, 1))",
    ],
)  # fmt: skip
def test_dimension_by_both_names_is_refused_as_pytorch_does(case):
    refused(__file__, case)


def test_axis_with_another_dim_is_refused_where_there_is_no_source():
    call = "torch.cumsum(torch.ones(2), 0, axis=0)"
    with pytest.raises(TypeError, match=r"cumsum\(\) got an unexpected .* 'axis'"):
        eval(call, {"torch": torch})


WRONG = [
    "torch.argmax(singles, True)", "torch.cumsum(singles, 1.5)", "torch.amax(singles, 'a')",
    "torch.prod(singles, (0,))", "torch.mode(None)", "torch.cumsum('a', 0)",
    "torch.all([1.0])", "torch.argmax([1.0])", "torch.var(None)",
]  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_types_are_refused_as_pytorch_does(case):
    refused(__file__, case)


INTEGERS = [
    "singles.sum(torch.tensor(0))", "singles.cumsum(torch.tensor(1))", "singles.sum(np.int64(0))",
    "singles.amax([torch.tensor(1)])",
]  # fmt: skip


@pytest.mark.parametrize("case", INTEGERS)
def test_integers_of_any_kind_are_dimensions(case):
    alike(__file__, case, nodes=False)


def test_ndim_of_arrays_is_theirs_and_of_the_rest_a_type_error():
    assert ndim_of(np.ones((2, 3))) == 2
    with pytest.raises(TypeError, match="argument 'input' must be Tensor, not l"):
        ndim_of([])
