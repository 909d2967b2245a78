"""`copy` and `pickle`."""

import copy
import io
import pickle

import pytest

import edutorch
from tests.ops.cases import alike, refused

CASES = [
    "import copy; y, w = copy.deepcopy((ints, ints[1:])); y[1] = 9; w",
    "import copy; y = copy.deepcopy(ints[1]); (y, y.storage_offset(), y.stride())",
    "import copy; y = copy.deepcopy(torch.ones(2).expand(3, 2)); y.stride()",
    "import copy; y = copy.deepcopy(singles.t()[1:]); (y, y.stride(), y.storage_offset())",
    "import copy; y = copy.deepcopy(a); (y, y is a)",
    "import copy; copy.deepcopy(ints)",
    "import copy; y = copy.copy(singles); y[0] = 0; singles",
    "import pickle; pickle.loads(pickle.dumps(singles))",
    "import pickle; pickle.loads(pickle.dumps(a))",
    "import pickle; pickle.loads(pickle.dumps(singles.bfloat16())).float()",
    "import pickle; pickle.loads(pickle.dumps(singles.t())).shape",
    "import pickle; pickle.loads(pickle.dumps(a * 2))",
    "import copy; y = singles.clone(); z = [y, y]; w = copy.deepcopy(z); w[0] is w[1]",
]

REFUSED = [
    "import copy; copy.deepcopy(a * 2)",
]


@pytest.mark.parametrize("case", CASES)
def test_copied_tensors_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_copied_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_deepcopy_copies_the_gradient():
    x = edutorch.ones(2, requires_grad=True)
    (x * 3).sum().backward()
    y = copy.deepcopy(x)
    y.grad.zero_()
    assert x.grad.tolist() == [3, 3]


def test_deepcopy_keeps_the_strides():
    assert copy.deepcopy(edutorch.ones(2, 3).t()).stride() == (1, 3)


def test_deepcopies_that_share_memory_share_its_version():
    x = edutorch.zeros(3)
    y, tail = copy.deepcopy((x, x[1:]))
    tail.add_(1)
    assert y.tolist() == [0, 1, 1] and y._version == 1
    assert x.tolist() == [0, 0, 0] and x._version == 0


def test_views_of_nothing_are_copied():
    x = edutorch.zeros(0, 3)
    found = copy.deepcopy([x.expand(2, 0, 3), x])
    assert found[0].shape == (2, 0, 3)


def test_pickle_keeps_strides_and_offset_but_shares_nothing():
    x = edutorch.arange(6.0).reshape(2, 3)
    transposed, row = pickle.loads(pickle.dumps((x.t(), x[1])))
    assert transposed.stride() == (1, 3)
    assert row.storage_offset() == 3
    row.zero_()
    assert transposed.tolist() == [[0, 3], [1, 4], [2, 5]]


def test_pickle_and_copies_keep_attributes():
    x, p = edutorch.ones(1), edutorch.nn.Parameter(edutorch.ones(1))
    x.name = p.tag = ["n"]
    for same in (copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))):
        assert same(x).name == ["n"]
    for same in (copy.copy, lambda v: pickle.loads(pickle.dumps(v))):
        assert same(p).tag == ["n"]
        assert type(same(p)) is edutorch.nn.Parameter


def test_copy_shares_memory_and_storages_are_copied():
    x = edutorch.ones(2)
    copy.copy(x).zero_()
    assert x.tolist() == [0, 0]
    for storage in (x.storage(), x.untyped_storage()):
        found = pickle.loads(pickle.dumps(storage))
        assert found.tolist() == storage.tolist()
        assert found.data_ptr() != storage.data_ptr()
    conjugate = edutorch.tensor([1 + 2j]).conj()
    found = pickle.loads(pickle.dumps(conjugate))
    assert found.is_conj()
    assert found.tolist() == [1 - 2j]


@pytest.mark.parametrize("weights_only", [True, False])
def test_conjugate_with_an_attribute_remains_a_view(weights_only):
    conjugate = edutorch.tensor([1 + 2j]).conj()
    conjugate.note = 1.5
    file = io.BytesIO()
    edutorch.save(conjugate, file)
    file.seek(0)
    loaded = edutorch.load(file, weights_only=weights_only)
    for found in (loaded, pickle.loads(pickle.dumps(conjugate))):
        assert (found.is_conj(), found.note) == (True, 1.5)
        assert found.tolist() == [1 - 2j]
