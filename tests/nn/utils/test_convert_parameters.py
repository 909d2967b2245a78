"""Parameters as one vector."""

from __future__ import annotations

import pytest

import edutorch
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def there_and_back(torch):
    m = torch.nn.Linear(3, 2)
    vector = torch.nn.utils.parameters_to_vector(m.parameters())
    w = m.weight
    torch.nn.utils.vector_to_parameters(vector.detach() * 2, m.parameters())
    return [vector, vector.requires_grad, m.weight is w, m.weight, m.bias]


@programs.add
def what_is_no_vector_is_refused(torch):
    m = torch.nn.Linear(1, 1)
    return attempt(lambda: torch.nn.utils.vector_to_parameters([1.0], m.parameters()))


test_convert_parameters = programs.test()


def test_parameters_on_different_devices_are_refused():
    with edutorch.cuda.simulate(devices=2):
        several = [edutorch.ones(1), edutorch.ones(1, device="cuda:1")]
        with pytest.raises(TypeError, match="different devices"):
            edutorch.nn.utils.parameters_to_vector(several)
