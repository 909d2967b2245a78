"""Python functions applied element by element, subclasses, shared memory."""

import os

import pytest

import edutorch
from tests.ops.cases import alike, refused

CASES = [
    "singles.clone().apply_(lambda v: v * 2)",
    "singles.clone().map_(singles[0], lambda v, w: v + w)",
    "y = singles.clone(); y.apply_(lambda v: v + 1); y._version",
    "ints.clone().map2_(ints2, ints2, lambda v, w, u: v + w - 2 * u)",
    "(singles.dim_order(), singles.t().dim_order())",
    "torch.ones(2, 3, 4, 5).to(memory_format=torch.channels_last).dim_order()",
    "(singles.is_set_to(singles.view(2, 3)), singles.is_set_to(singles.t()), singles.is_set_to(singles.clone()))",
    "torch.get_device(singles)",
    "torch.is_conj(singles)",
    "torch.is_neg(singles)",
]

REFUSED = [
    "a.apply_(lambda v: v)",
    "a.map_(a, lambda v, w: v)",
    "singles.map_(ints, lambda v, w: v)",
    "singles.map_(1, lambda v, w: v)",
    "singles.map_(torch.ones(4), lambda v, w: v)",
    "singles.map2_(singles, ints, lambda u, v, w: v)",
    "torch.ones(1, 1).dim_order(ambiguity_check=True)",
    "singles.pin_memory()",
    "singles.as_subclass(int)",
]


@pytest.mark.parametrize("case", CASES)
def test_elementwise_functions_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_elementwise_functions_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_share_memory_lets_a_forked_process_write():
    x = edutorch.zeros(2)
    assert not x.is_shared()
    assert x.share_memory_() is x
    assert x.is_shared()
    child = os.fork()
    if not child:
        x[0] = 5
        os._exit(0)
    os.waitpid(child, 0)
    assert x.tolist() == [5, 0]


def test_instance_of_a_subclass_is_an_alias_to_the_graph():
    class Mine(edutorch.Tensor):
        pass

    y = edutorch.ones(2, requires_grad=True) * 1
    s = y.as_subclass(Mine)
    assert s.grad_fn.name() == "AliasBackward0" and s._base is y
