"""Other shapes of the same memory."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "singles[0, :2].clone().view(int)",
    "singles.view(dtype=bool).shape",
    "a.reshape(3, 2)",
    "torch.reshape(a, (-1,))",
    "a.reshape(shape=(6, 1))",
    "a.t().reshape(6)",
    "a[:, :2].reshape(4)",
    "seq[:, :, :2].reshape(8, 2)",
    "seq[:, :2].reshape(2, 10)",
    "a.view(-1)",
    "a.view(3, 2)",
    "a.view((1, 6))",
    "a.view(size=(6,))",
    "a.t().view(3, 2)",
    "seq[0].view(2, 10)",
    "a.view_as(torch.ones(3, 2))",
    "a.reshape_as(torch.ones(6))",
    "singles.view(torch.int32)",
    "singles.view(dtype=torch.int32)",
    "positive.detach().view(torch.int64)",
    "uint8s.view(torch.int8)",
    "singles[:, :2].contiguous().view(torch.float64).shape",
    "torch.zeros(2, 4, dtype=torch.int16).view(torch.int32)",
    "torch.ones(2, 3).view(torch.uint8).shape",
    "a.flatten()",
    "seq.flatten(1)",
    "seq.flatten(0, 1)",
    "scalar.flatten()",
    "a.flatten(1) is a",
    "a.ravel()",
    "torch.ravel(a.t())",
    "a.unflatten(1, (3, 1))",
    "torch.unflatten(seq, -2, (2, -1))",
    "torch.empty(0, 3).reshape(3, 0)",
    "torch.empty(0).view(0, 2)",
    "scalar.reshape(1, 1)",
    "(singles.view(-1)[2:].storage_offset(), singles.t().stride(), singles.view(3, 2).stride())",
    "singles.view(-1).data_ptr() == singles.data_ptr()",
    "singles.reshape(6).data_ptr() == singles.data_ptr()",
    "singles.t().reshape(6).data_ptr() == singles.data_ptr()",
    "(singles._is_view(), singles.view(6)._is_view(), singles.view(6)[0]._base is singles)",
    "y = singles.clone(); y.view(-1)[4] = 9; y",
    "(torch.ones(2, 3)[None].stride(), torch.ones(3, 1).t().stride())",
    "(torch.ones(2, 0, 3).stride(), torch.ones(2, 3)[:, None].stride())",
    "torch.ones(1, 3).expand(2, 3).stride()",
]

SMOOTH = [
    "a.reshape(3, 2) ** 2",
    "a.t().reshape(6) ** 2",
    "seq[:, :, :2].reshape(8, 2) ** 2",
    "seq.flatten(1).exp()",
    "seq.unflatten(1, (2, 2)) ** 2",
]

REFUSED = [
    "singles.view()",
    "singles.reshape()",
    "scalar.view()",
    "a.view(size=6)",
    "a.reshape(range(2))",
    "singles.view(str)",
    "scalar.unflatten(0, (1, -1))",
    "a.view(5)",
    "a.view(-1, -1)",
    "a.view(-1, 4)",
    "a.view(-2)",
    "a.reshape(-3, 2)",
    "a.reshape(4)",
    "a.t().view(6)",
    "torch.empty(0).reshape(-1, 0)",
    "torch.empty(0, 3).view(-1, 0)",
    "singles.view(torch.float64)",
    "scalar.detach().view(torch.float32)",
    "torch.ones(4, 4).t().view(torch.float64)",
    "torch.ones(9).as_strided((4,), (2,), 1).view(torch.float64)",
    "a.flatten(1, 0)",
    "a.flatten(3)",
    "a.unflatten(0, (3, 2))",
    "a.unflatten(0, ())",
    "a.unflatten(1, (-1, -1))",
]


@pytest.mark.parametrize("case", CASES)
def test_views_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_views_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_views_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_reading_columns_as_another_dtype_is_refused_for_their_strides():
    columns = torch.ones(2, 2, dtype=torch.complex64).mT
    with pytest.raises(RuntimeError, match=r"self.stride\(-1\) must be 1 to view Comp"):
        columns[0].view(torch.float32)


def test_nothing_is_read_as_larger_elements_whatever_its_strides():
    x = torch.ones(0).expand(2, 0)
    assert x.view(torch.complex64).shape == (2, 0)
