"""`foreach`, `fused` and `capturable`: refused and accepted as by PyTorch."""

import inspect
import itertools

import pytest

import edutorch
from tests.fuzz.differences import difference
from tests.fuzz.outcomes import outcome
from tests.oracle import torch

FLAGS = ("foreach", "capturable", "differentiable", "fused", "amsgrad")
OPTIMIZERS = (
    "SGD", "Adam", "AdamW", "Adadelta", "Adagrad", "Adamax", "ASGD", "NAdam", "RAdam",
    "RMSprop", "Rprop", "Adafactor",
)  # fmt: skip
STEPS = """
p = {}
o = torch.optim.{}([p], {})
for _ in range(2):
    p.grad = {}
    o.step()
result = p, dict(o.state[p])
"""
REAL = "torch.linspace(-1, 1, 6).reshape(3, 2)"
COMPLEX = "torch.complex(torch.ones(3, 2), torch.zeros(3, 2))"
ONES = "torch.ones(3, 2, dtype=p.dtype)"
# A parameter, its gradient and other settings.
USES = {
    "real": (f"{REAL}.requires_grad_()", ONES, "lr=0.1"),
    "computed": (f"{REAL}.requires_grad_().clone()", ONES, "lr=0.1"),
    "complex": (f"{COMPLEX}.requires_grad_()", ONES, "lr=0.1"),
    "integers": (f"{REAL}.int()", ONES, "lr=0.1"),
    "sparse": (f"{REAL}.requires_grad_()", "torch.ones(3, 2).to_sparse()", "lr=0.1"),
    "tensor rate": (f"{REAL}.requires_grad_()", ONES, "lr=torch.tensor([0.1])"),
    "two rates": (f"{REAL}.requires_grad_()", ONES, "lr=torch.ones(2)"),
    "negative rate": (f"{REAL}.requires_grad_()", ONES, "lr=torch.tensor(-0.1)"),
    "learned rate": (
        f"{REAL}.requires_grad_()", ONES, "lr=torch.tensor(0.1).requires_grad_()",
    ),
    "decay": (f"{COMPLEX}.requires_grad_()", ONES, "lr=0.1, weight_decay=0.1"),
}  # fmt: skip
# PyTorch's `foreach` fails with the words of internal functions; Rprop names the dtype
# of C++ for integers.
EXCUSED = (
    "received an invalid combination", "For integral input tensors",
    "desired output type int",
)  # fmt: skip


def programs(name, use):
    """The steps of an optimizer with each combination of its flags."""
    made, grad, settings = USES[use]
    known = inspect.signature(getattr(torch.optim, name).__init__).parameters
    flags = [flag for flag in FLAGS if flag in known]
    for chosen in itertools.product((False, True), repeat=len(flags)):
        told = [f"{f}=True" for f, on in zip(flags, chosen, strict=True) if on]
        yield STEPS.format(made, name, ", ".join([settings, *told]), grad)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_each_combination_of_flags_is_refused_or_taken_as_by_pytorch(name, use):
    for program in programs(name, use):
        expected, got = outcome(program, torch, {}), outcome(program, edutorch, {})
        if any(words in str(expected) for words in EXCUSED):
            continue
        assert difference(expected, got) == ("", ""), f"{program}{expected} | {got}"


def test_rates_set_after_the_first_step_are_refused_with_foreach():
    program = STEPS.format(USES["real"][0], "Adam", "foreach=True", ONES).replace(
        "    o.step()", "    o.step(); o.param_groups[0]['lr'] = torch.tensor(0.1)"
    )
    told = [outcome(program, library, {}) for library in (torch, edutorch)]
    assert difference(*told) == ("", "")
    assert "lr as a Tensor is not supported" in str(told[1])


FUSED = (
    "Adam([p], maximize=2", "Adam([p], amsgrad=None", "AdamW([p], maximize=(1.0, 0.5)",
    "Adam([p], decoupled_weight_decay=True, amsgrad=1", "Adagrad([p], maximize=0",
    "SGD([p], maximize=0.5", "SGD([p], momentum=0.9, nesterov=2",
    "SGD([p], dampening=None", "SGD([p], lr=torch.tensor(0.1), maximize=-1",
)  # fmt: skip


@pytest.mark.parametrize("made", FUSED)
def test_fused_steps_refuse_flags_that_are_not_bools(made):
    program = (
        f"p = torch.ones(3, requires_grad=True)\no = torch.optim.{made}, fused=True)\n"
        "o.step(); p.grad = torch.ones(3); result = o.step()"
    )
    told = [outcome(program, library, {}) for library in (torch, edutorch)]
    assert difference(*told) == ("", "")
    assert "received an invalid combination" in str(told[1])


@pytest.mark.parametrize(
    "dtypes", [("complex64", "complex128"), ("complex128", "complex64")]
)
def test_a_fused_step_names_the_dtype_that_pytorch_reaches_first(dtypes):
    program = (
        f"ps = [torch.ones(3, dtype=t) for t in (torch.float32, torch.{dtypes[0]}, "
        f"torch.{dtypes[1]}, torch.{dtypes[0]})]\n"
        "for p in ps: p.grad = p.clone()\n"
        "result = torch.optim.SGD(ps, fused=True).step()"
    )
    told = [outcome(program, library, {}) for library in (torch, edutorch)]
    assert difference(*told) == ("", "")
    assert "fused_sgd_kernel" in str(told[1])


FOREACH = (
    "ASGD([p], lr=0.5, foreach=True)", "ASGD([p], alpha=None, foreach=True)",
    "Rprop([p], step_sizes=2, capturable=True)",
    "AdamW([p], weight_decay=torch.tensor(0.3))",
)  # fmt: skip


@pytest.mark.parametrize("made", FOREACH)
def test_settings_are_read_in_the_order_and_precision_of_pytorch(made):
    program = (
        "p = torch.linspace(-1, 1, 5, dtype=torch.float64).requires_grad_()\n"
        f"o = torch.optim.{made}\n"
        "for i in range(3): p.grad = (p * 0.7 + i).detach(); o.step()\nresult = p"
    )
    told = [outcome(program, library, {}) for library in (torch, edutorch)]
    assert difference(*told) == ("", "")
