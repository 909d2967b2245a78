"""Dispatch: what running an op leaves behind."""

from __future__ import annotations

import gc
import itertools
import weakref

import pytest

import edutorch as torch
from edutorch.autograd.dispatch import Op, apply, apply1, apply2, record
from edutorch.autograd.foreign_operands import accept_arrays
from edutorch.ops.pointwise.arithmetic import Add, Div, Mul, Neg
from edutorch.ops.pointwise.exponential import Exp
from edutorch.ops.pointwise.roots import Sqrt
from edutorch.tensor.tensor import wrap


class Double(Op):
    """Twice its input, for these tests."""

    saves = ()

    def forward(self, x):
        return 2 * x

    def backward(self, g):
        return 2 * g


def test_dispatch_when_given_arrays_in_a_formula_runs_forward_alone():
    x = torch.ones(2).numpy()
    with accept_arrays():
        assert apply1(Double(), x).tolist() == [2.0, 2.0]
    with pytest.raises(TypeError, match="must be Tensor, not numpy.ndarray"):
        apply1(Double(), x)


def test_node_is_the_op_and_names_what_comes_next():
    x = torch.ones(2, requires_grad=True)
    y = apply1(Double(), x)
    z = y * 3
    assert isinstance(y.grad_fn, Double)
    assert y.grad_fn.name() == "DoubleBackward0"
    assert z.grad_fn.next_functions[0][0] is y.grad_fn
    leaf = y.grad_fn.next_functions[0][0]
    assert leaf.name() == "torch::autograd::AccumulateGrad"
    assert leaf.variable is x


def test_op_without_backward_says_so():
    class OneWay(Op):
        def forward(self, x):
            return x + 1

    y = apply1(OneWay(), torch.ones(1, requires_grad=True))
    with pytest.raises(RuntimeError, match="derivative for aten::one_way is not"):
        y.backward()


def test_failed_op_changes_nothing_and_names_operands():
    x = torch.ones(3, requires_grad=True)
    other = torch.ones(4)
    with pytest.raises(RuntimeError) as caught:
        x + other
    first = str(caught.value).splitlines()[0]
    assert first == (
        "The size of tensor a (3) must match the size of tensor b (4) at "
        "non-singleton dimension 0"
    )
    notes = "\n".join(caught.value.__notes__)
    assert "`x`: shape (3,)" in notes
    assert "`other`: shape (4,)" in notes
    assert x.grad is None
    assert x._version == 0


def test_foreign_operand_raises_type_error_after_its_own_operator_is_tried():
    class Money:
        def __radd__(self, other):
            return "mine"

    assert torch.ones(1) + Money() == "mine"
    with pytest.raises(TypeError):
        torch.ones(1) + "text"


def test_several_outputs_have_numbers_and_missing_gradients_are_zero():
    class Halves(Op):
        several = True
        saves = ()

        def forward(self, x):
            return x[:1].copy(), x[1:].copy()

        def backward(self, first, second):
            return (
                torch.cat([first, second])
                if hasattr(first, "_data")
                else (__import__("numpy").concatenate([first, second]))
            )

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    first, second = apply(Halves(), x)
    assert (first.output_nr, second.output_nr) == (0, 1)
    (second * 5).sum().backward()
    assert x.grad.tolist() == [0.0, 5.0]


def test_add_keeps_no_input_alive():
    x = torch.ones(4, requires_grad=True) * 2
    seen = weakref.ref(x)
    y = x + 1
    del x
    gc.collect()
    assert seen() is None
    y.sum().backward()


def test_graph_of_100000_nodes_runs_and_dies_without_recursion():
    x = torch.ones(2, requires_grad=True)
    z = x
    for _ in range(100_000):
        z = z + x
    z.sum().backward()
    assert x.grad.tolist() == [100_001.0, 100_001.0]
    z = x
    for _ in range(100_000):
        z = z + x
    del z  # released without backward


def test_modes_of_recording_decide_about_the_node():
    x = torch.ones(1, requires_grad=True)
    with torch.no_grad():
        assert (x * 2).grad_fn is None
    with torch.inference_mode():
        y = x * 2
    assert y.is_inference()
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved"):
        x * y


def test_numbers_keep_a_tensors_dtype_within_its_kind():
    assert (torch.tensor([1], dtype=torch.int8) + 1).dtype is torch.int8
    assert (torch.tensor([1], dtype=torch.int8) + 1.5).dtype is torch.float32
    assert (torch.tensor([1.0], dtype=torch.float64) * 2).dtype is torch.float64
    assert (
        torch.tensor(1.0, dtype=torch.float64) + torch.ones(1)
    ).dtype is torch.float32


def test_describe_shows_attributes():
    y = torch.ones(2, 2, requires_grad=True).sum(dim=1, keepdim=True)
    assert "dim=(1,)" in y.grad_fn.describe()
    assert "keepdim=True" in y.grad_fn.describe()


def recorded(op, operands, run):
    """What running an op on operands leaves behind."""
    y = run(op, *operands)
    fields = {
        name: getattr(op, name)
        for name in (
            "needs", "edges", "out_shape", "out_dtype", "inputs", "output", "hooks",
            "device", "module_path", "versions",
        )
        if hasattr(op, name)
    }  # fmt: skip
    saved = fields.get("inputs") or ()
    fields["inputs"] = [t if isinstance(t, torch.Tensor) else None for t in saved]
    nrs = [op.edge_nrs[i] for i in range(len(operands))]
    return y.tolist(), y.requires_grad, y._output_nr, y.grad_fn is op, nrs, fields


def by_record(op, *operands):
    """Run an op and record it as `apply` does."""
    result = wrap(op.forward(*[getattr(t, "_data", t) for t in operands]))
    record(op, operands, (result,), False)
    return result


def graph_operands():
    """A leaf, a result, a second output, a constant."""
    leaf = torch.tensor([1.0, 4.0], requires_grad=True)
    return leaf, leaf * 2, leaf.reshape(2, 1).unbind(1)[0], torch.ones(2)


@pytest.mark.parametrize("make", [Double, Exp, Neg, Sqrt])
@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad])
def test_apply1_and_record_leave_the_same_node(make, mode):
    for x in graph_operands():
        with mode():
            quick, general = (
                recorded(make(), (x,), apply1),
                recorded(make(), (x,), by_record),
            )
        assert str(quick) == str(general)


@pytest.mark.parametrize("make", [Add, Mul, Div])
@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad])
def test_apply2_and_record_leave_the_same_node(make, mode):
    for x, y in itertools.product((*graph_operands(), 2.0), repeat=2):
        if type(x) is type(y) is float:
            continue
        with mode():
            quick = recorded(make(), (x, y), apply2)
            general = recorded(make(), (x, y), by_record)
        if not make.saves_factors:  # apply2 saves the factors that are needed only
            assert str(quick) == str(general)
        else:
            assert str(quick[:5]) == str(general[:5])
