"""What dispatch raises when an op fails."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd.op_errors import broadcast_error
from tests.ops.cases import refused


def test_broadcast_error_names_the_last_dimension_that_differs():
    error = broadcast_error([(2, 3), (4, 5)])
    assert str(error) == (
        "The size of tensor a (3) must match the size of tensor b (5) at "
        "non-singleton dimension 1"
    )
    assert broadcast_error([(2, 1), (3,)]) is None
    # Of three shapes, the first two are compared first.
    assert str(broadcast_error([(3,), (2,), (2, 3)])).endswith("dimension 0")


def test_shapes_that_do_not_fit_are_refused_before_dtypes():
    a, b = torch.ones(2), torch.ones(3)
    for function in (torch.bitwise_and, torch.bitwise_xor, torch.gcd):
        with pytest.raises(
            RuntimeError, match=r"must match the size of tensor b \(3\)"
        ):
            function(a, b)
        with pytest.raises(NotImplementedError):
            function(a, a)


@pytest.mark.parametrize("junk", ["x", None, [1], {}, object, ...])
def test_non_tensor_is_named_with_its_position(junk):
    with pytest.raises(TypeError) as caught:
        torch.bmm(torch.ones(1, 2, 2), junk)
    assert str(caught.value) == (
        f"bmm(): argument 'mat2' (position 2) must be Tensor, not {type(junk).__name__}"
    )


def test_tensors_on_two_devices_are_refused():
    with torch.cuda.simulate(devices=2):
        a, b = torch.ones(2, device="cuda:0"), torch.ones(2, device="cuda:1")
        with pytest.raises(RuntimeError) as caught:
            a + b
        assert str(caught.value).startswith(
            "Expected all tensors to be on the same device, but found at least two "
            "devices, cuda:0 and cuda:1!"
        )
        with pytest.raises(RuntimeError, match="cuda:0 and cpu"):
            a + torch.ones(2)
        assert (a + torch.tensor(1.0)).device == torch.device("cuda:0")


def test_operation_on_a_type_that_has_none_is_refused():
    with pytest.raises(RuntimeError, match="bool"):
        -torch.tensor([True])


def test_common_errors_come_with_a_hint():
    with pytest.raises(RuntimeError) as caught:
        torch.ones(2, 3) @ torch.ones(2, 3)
    assert any("hint: the last size" in note for note in caught.value.__notes__)


# Shapes come before dtypes of the result, and these before kernels and factors.
IN_ORDER = [
    "y = ints * 1; y.igamma_(ints2); y",
    "y = mask.clone(); y.igamma_(ints); y",
    "y = ints[0] * 1; y &= complexes.real; y",
    "y = ints[0] * 1; y &= singles; y",
    "y = ints * 1; y &= singles; y",
    "y = ints * 1; y //= 1j; y",
    "y = ints[0] * 1; y //= ints; y",
    "y = ints[0] * 1; y %= 0 * ints; y",
    "y = singles * 1; y.remainder_(1j); y",
    "y = singles[0] * 1; y <<= singles; y",
    "y = ints * 1; y >>= 2.5; y",
    "y = singles[0] * 1; y.lt_(singles * 1j); y",
    "y = ints * 1; y.lt_(complexes.sum()); y",
    "y = ints[0] * 1; y.gcd_(singles); y",
    "y = ints[0] * 1; y.add_(ints, alpha=2.5); y",
    "y = ints * 1; y.add_(singles, alpha=2.5); y",
    "y = ints * 1; y.sub_(ints, alpha=True); y",
    "torch.add(ints, ints2[:, :2], alpha=2.5)",
    "torch.rsub(ints, ints2[:, :2], alpha=True)",
    "ints // 1j",
    "uint8s % 1j",
    "singles // torch.tensor(1j, dtype=torch.complex128)",
    "singles >= (a * 1j)",
    "(singles * 1j) < a[0, 0]",
    "torch.nextafter(scalar, singles * 1j)",
    "torch.div(1j, uint8s, rounding_mode='trunc')",
]


@pytest.mark.parametrize("case", IN_ORDER)
def test_refusals_come_in_pytorchs_order(case):
    refused(__file__, case)


@pytest.mark.parametrize(
    "make",
    [
        lambda x: torch.nn.functional.pad(x, (2**62, 1)),
        lambda x: x.repeat(2**61),
        lambda x: torch.kron(x.expand(2**32), x.expand(2**32)),
    ],
)
def test_results_of_more_bytes_than_can_be_counted_are_refused(make):
    with pytest.raises(RuntimeError, match="^Storage size calculation overflowed"):
        make(torch.ones(1))


@pytest.mark.parametrize(
    "use",
    [
        lambda view, base: view[0][1:],
        lambda view, base: view[0].split(1),
        lambda view, base: view.unfold(0, 4, 1),
        lambda view, base: base.copy_(view),
    ],
)
def test_views_of_unknown_history_are_refused_before_other_errors(use):
    base = torch.ones(3, 3, requires_grad=True) * 1
    view = base.unbind()[0]
    with torch.no_grad():
        base.exp_()
    with pytest.raises(RuntimeError, match="Output 0 of Unbind is a view and its base"):
        use(view, base)
