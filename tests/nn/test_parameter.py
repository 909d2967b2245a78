"""Parameters, buffers, and parameters whose shape is not known yet."""

from __future__ import annotations

import copy
import pickle

import pytest

import edutorch
from edutorch.nn.parameter import UninitializedBuffer, UninitializedParameter
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def parameters_share_memory_and_require_grad(torch):
    x = torch.ones(2)
    p = torch.nn.Parameter(x)
    q = torch.nn.Parameter(x, requires_grad=False)
    x.fill_(3)
    empty = torch.nn.Parameter()
    return [repr(p), repr(q), p.data_ptr() == x.data_ptr(), list(empty.shape),
            isinstance(p, torch.Tensor), isinstance(x, torch.nn.Parameter)]  # fmt: skip


@programs.add
def operations_on_parameters_give_tensors(torch):
    p = torch.nn.Parameter(torch.ones(2, 2))
    found = (p * 2, p.T, p.detach(), p.data, p[0], p.clone())
    return [[type(t).__name__, t.requires_grad] for t in found]


@programs.add
def integers_cannot_be_learnt(torch):
    ints = torch.tensor([1, 2])
    return [attempt(lambda: torch.nn.Parameter(ints)),
            torch.nn.Parameter(ints, requires_grad=False)]  # fmt: skip


@programs.add
def history_is_left_behind(torch):
    x = torch.ones(2, requires_grad=True)
    p = torch.nn.Parameter(x * 2)
    return [p.is_leaf, p.requires_grad, p]


@programs.add
def copies_are_parameters(torch):
    p = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    a, b = copy.deepcopy([p, p])
    c = pickle.loads(pickle.dumps(p))
    return [a is b, type(a).__name__, a.requires_grad, type(c).__name__, c,
            a.data_ptr() != p.data_ptr()]  # fmt: skip


@programs.add
def buffers_know_whether_they_persist(torch):
    b = torch.nn.Buffer(torch.ones(2), persistent=False)
    return [isinstance(b, torch.nn.Buffer), b.persistent, b,
            isinstance(torch.ones(1), torch.nn.Buffer),
            isinstance(torch.nn.Buffer(torch.ones(1)), torch.Tensor)]  # fmt: skip


@programs.add
def waiting_parameters_take_their_shape(torch):
    p = torch.nn.UninitializedParameter(dtype=torch.float64)
    before = [repr(p), torch.nn.parameter.is_lazy(p), attempt(lambda: p.shape)]
    p.materialize((2, 3))
    return [before, type(p).__name__, list(p.shape), str(p.dtype), p.requires_grad,
            torch.nn.parameter.is_lazy(p)]  # fmt: skip


@programs.add
def pickling_keeps_what_programs_attached(torch):
    p = torch.nn.Parameter(torch.ones(1))
    p.role = "head"
    return pickle.loads(pickle.dumps(p)).role


@programs.add
def what_is_no_tensor_is_no_parameter(torch):
    return [attempt(lambda x=x: torch.nn.Parameter(x)) for x in (3, [1.0])]


@programs.add
def what_waits_for_its_shape_cannot_be_counted(torch):
    layer, buffer = torch.nn.LazyLinear(2), torch.nn.UninitializedBuffer()

    def count():
        return sum(p.numel() for p in layer.parameters())

    before = attempt(count), attempt(layer.share_memory), attempt(buffer.numel)
    layer(torch.ones(1, 3))
    return [before, count(), layer.share_memory().weight.is_shared()]


test_parameter = programs.test()


def test_waiting_parameter_copies_wait_too():
    p = UninitializedParameter()
    assert repr(copy.deepcopy(p)) == "<UninitializedParameter>"
    assert isinstance(pickle.loads(pickle.dumps(p)), UninitializedParameter)


def test_waiting_buffer_becomes_a_tensor():
    b = UninitializedBuffer()
    with pytest.raises(RuntimeError, match="uninitialized"):
        _ = b.shape
    b.materialize((3,))
    assert type(b) is edutorch.Tensor
    assert b.shape == (3,)


@pytest.mark.parametrize(
    "compute",
    [lambda p: p + 1, lambda p: 2 * p, lambda p: p.exp(), lambda p: -p.sum()],
)
def test_arithmetic_on_an_uninitialized_parameter_is_refused(compute):
    for made in (UninitializedParameter(), UninitializedBuffer()):
        with pytest.raises(ValueError, match="^Attempted to use an uninitialized"):
            compute(made)
        made.materialize((2,))
        compute(made.data.fill_(1.0))


def test_parameters_without_data_are_made_on_the_default_device():
    kinds = [UninitializedParameter, UninitializedBuffer, edutorch.nn.Parameter]
    with edutorch.cuda.simulate(devices=1), edutorch.device("cuda:0"):
        assert {str(kind().device) for kind in kinds} == {"cuda:0"}
        layer = edutorch.nn.LazyConv1d(3, 2)
        assert layer(edutorch.ones(2, 4, 5)).device.type == "cuda"
        assert layer.weight.device.type == "cuda"


def test_parameter_of_an_inference_tensor_is_made_in_inference_mode():
    with edutorch.inference_mode():
        x = edutorch.ones(2)
        assert edutorch.nn.Parameter(x).is_inference()
    assert edutorch.nn.Parameter(x, requires_grad=False).is_inference()
    with pytest.raises(RuntimeError, match="Setting requires_grad=True on inference"):
        edutorch.nn.Parameter(x)
