"""Subclasses of Tensor: kept by results, and consulted before functions run."""

import copy
import pickle

import pytest

import edutorch as torch
from edutorch import nn, overrides
from edutorch.amp.casting import rules
from edutorch.overrides import (
    DisableTorchFunctionSubclass,
    handle_torch_function,
    has_torch_function,
    is_tensor_like,
    resolve_name,
)
from tests.answers import oracle

Marked = Logged = torch.Tensor  # set by `subclasses`


@pytest.fixture(scope="module", autouse=True)
def subclasses():
    """Two subclasses, made when the tests begin."""
    global Marked, Logged
    Marked, Logged = _subclasses()


def _subclasses():
    class Marked(torch.Tensor):
        """Adds nothing: results just keep the class."""

    class Logged(torch.Tensor):
        """Records the functions that are called on it."""

        seen: list[str] = []  # noqa: RUF012 (one log for all)

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            cls.seen.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})

    Marked.__qualname__ = "Marked"  # so that pickle finds it
    return Marked, Logged


class Scalar:
    """No tensor at all, but functions know what to do with it."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return 42.0 if func == torch.mean else NotImplemented


not_a_matrix = pytest.mark.filterwarnings("ignore:The use of .x.T.:UserWarning")


@not_a_matrix
@pytest.mark.parametrize(
    "make",
    [
        lambda x: x + 1,
        lambda x: 1 + x,
        lambda x: torch.exp(x),
        lambda x: x.sum(),
        lambda x: x[0],
        lambda x: x.T,
        lambda x: torch.stack([x, torch.ones(2)]),
        lambda x: x.topk(1).values,
        lambda x: nn.functional.relu(x),
        lambda x: nn.Linear(2, 1)(x),
        lambda x: x.clone().mul_(2),
        lambda x: copy.deepcopy(x),
        lambda x: pickle.loads(pickle.dumps(x)),
    ],
)
def test_results_of_a_subclass_keep_the_subclass(make):
    assert type(make(Marked([1.0, 2.0]))) is Marked


def test_subclass_prints_its_name_and_keeps_attributes():
    x = Marked([1.0, 2.0])
    x.tag = "here"
    assert repr(x) == "Marked([1., 2.])"
    assert copy.deepcopy(x).tag == "here"
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(x, protocol)).tag == "here"


def test_subclass_takes_part_in_backward():
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    x = leaf.as_subclass(Marked)
    (x * x).sum().backward()
    assert leaf.grad.tolist() == [2, 4]
    assert isinstance(x * 2, Marked)
    assert (x * 2).requires_grad


def test_hooks_on_the_node_of_a_result_are_not_called_after_a_change_in_place():
    leaf = torch.ones(2, requires_grad=True)
    x = leaf.as_subclass(Marked) * 2
    x.grad_fn.register_hook(lambda grads, _: (grads[0] * 5,))
    with torch.no_grad():
        x.view(2)[0] = 3.0
    assert torch.autograd.grad(x.sum(), leaf)[0].tolist() == [2, 2]


def test_override_sees_methods_operators_and_functions():
    Logged.seen.clear()
    x = Logged([1.0])
    torch.exp((x * 2 + torch.ones(1)).sum())
    assert Logged.seen == ["mul", "add", "sum", "exp"]


def test_override_is_off_inside_the_context():
    Logged.seen.clear()
    x = Logged([1.0])
    with DisableTorchFunctionSubclass():
        assert type(x + 1) is torch.Tensor
        assert not has_torch_function((x,))
    assert Logged.seen == []
    assert has_torch_function((x, 1))


def test_override_of_something_that_is_no_tensor():
    assert torch.mean(Scalar()) == 42
    assert handle_torch_function(torch.mean, (Scalar(),), Scalar()) == 42
    assert is_tensor_like(Scalar())
    with pytest.raises(
        TypeError, match=r"^Multiple dispatch failed for 'torch.add'; all"
    ):
        torch.add(Scalar(), 1)
    assert resolve_name(torch.add) == "torch.add"


def test_plain_tensors_and_parameters_stay_what_they_are():
    assert type(torch.ones(1) + 1) is torch.Tensor
    assert type(nn.Parameter(torch.ones(1)) * 2) is torch.Tensor


@not_a_matrix
@pytest.mark.parametrize(
    ("use", "name"),
    [
        (lambda t, plain: plain * t, "mul"),
        (lambda t, plain: 1 + t, "add"),
        (lambda t, plain: t > plain, "gt"),
        (lambda t, plain: torch.linalg.norm(t), "linalg_norm"),
        (lambda t, plain: t.T, "__get__"),
    ],
)
def test_override_hears_pytorch_s_names(use, name):
    t = torch.ones(2).as_subclass(Logged)
    Logged.seen.clear()
    assert type(use(t, torch.ones(2))) is Logged
    assert torch.is_tensor(t)
    assert Logged.seen == [name]


class Guest:
    """Something that is no tensor, and answers for itself."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func.__name__


def test_operators_of_tensors_call_overrides_of_other_types():
    assert torch.ones(2) + Guest() == "add"
    assert torch.ones(2).mul(Guest()) == "mul"


def test_layers_know_their_activation_behind_an_overridable():
    layer = nn.TransformerEncoderLayer(4, 2, 8, activation=nn.functional.gelu)
    assert type(nn.functional.gelu) is overrides.Overridable
    assert layer.activation_relu_or_gelu == 2
    assert nn.TransformerEncoderLayer(4, 2, 8).activation_relu_or_gelu == 1


def test_errors_of_layers_are_the_same_behind_an_overridable():
    assert type(nn.functional.max_pool1d) is overrides.Overridable
    with pytest.raises(RuntimeError, match="padding should be at most half"):
        nn.MaxPool1d(1, padding=1)(torch.ones(1, 3, 3))


def test_autocast_finds_its_functions_behind_an_overridable():
    rules.cache_clear()  # as if autocast was not used before
    assert type(nn.functional.linear) is overrides.Overridable
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert nn.Linear(3, 2)(torch.ones(1, 3)).dtype is torch.bfloat16


MIXED = [
    "ours + theirs",
    "theirs + ours",
    "ours.mul(theirs)",
    "torch.stack([ours, theirs])",
    "pytorch.stack([ours])",
    "pytorch.nn.functional.relu(ours)",
    "pytorch.nn.Linear(2, 1)(ours)",
]


@pytest.mark.parametrize("call", MIXED)
def test_tensors_of_pytorch_do_not_mix_and_the_error_says_so(call):
    pytorch = oracle()
    if pytorch is None:
        pytest.skip("needs PyTorch (torch)")
    names = {"torch": torch, "pytorch": pytorch}
    names |= {"ours": torch.ones(2), "theirs": pytorch.ones(2)}
    with pytest.raises(TypeError, match="PyTorch and of edutorch, which do not mix"):
        eval(call, names)
