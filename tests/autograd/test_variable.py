"""The old name of tensors with history."""

from __future__ import annotations

import edutorch as torch
from edutorch.autograd import Variable


def test_variable_is_a_tensor_that_shares_memory():
    t = torch.ones(2)
    v = Variable(t, requires_grad=True)
    assert isinstance(v, torch.Tensor) and isinstance(t, Variable)
    assert v.requires_grad and v.data_ptr() == t.data_ptr()
