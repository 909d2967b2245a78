"""Where a backward pass starts."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd.backward_roots import backward_task, root_gradients, sequence_of
from edutorch.autograd.graph import get_gradient_edge


def test_a_place_in_the_graph_stands_for_the_tensor_there():
    y = torch.ones(2, 3, requires_grad=True) * 2
    (at,) = sequence_of(get_gradient_edge(y))
    assert at.shape == y.shape and at.grad_fn is y.grad_fn
    assert sequence_of([y]) == [y]


def test_a_single_number_starts_with_one_in_its_dtype():
    y = torch.ones(2, dtype=torch.float64, requires_grad=True).sum()
    (one,) = root_gradients([y], None, False)
    assert one.tolist() == 1.0 and one.dtype == "float64"
    (one,) = root_gradients([y], None, True)
    assert type(one) is torch.Tensor


@pytest.mark.parametrize(
    ("gradients", "said"),
    [
        (None, "implicitly created only for scalar"),
        ([torch.ones(3)], "Mismatch in shape"),
        ([torch.ones(2), torch.ones(2)], "got 1 tensors and 2 gradients"),
    ],
)
def test_gradients_that_do_not_fit_their_roots_are_refused(gradients, said):
    y = torch.ones(2, requires_grad=True) * 2
    with pytest.raises(RuntimeError, match=said):
        root_gradients([y], gradients, False)


def test_a_task_without_inputs_to_differentiate_is_refused():
    y = torch.ones((), requires_grad=True) * 2
    with pytest.raises(RuntimeError, match="cannot be empty"):
        backward_task(y, None, None, False, [])
    assert backward_task(y, None, None, True, None).retain
