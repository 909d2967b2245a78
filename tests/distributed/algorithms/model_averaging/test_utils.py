"""Averages of parameters."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.distributed import GroupMember
from edutorch.distributed.algorithms.model_averaging import utils
from tests.distributed.launching import needs_mpi


def test_parameters_without_gradients_are_not_averaged():
    a, b = (torch.nn.Parameter(torch.ones(2)) for _ in range(2))
    a.sum().backward()
    assert utils.get_params_to_average([a, b]) == [a]
    assert utils.get_params_to_average([{"params": [b, a]}]) == [a]
    with pytest.raises(NotImplementedError, match="Parameter input of type"):
        utils.get_params_to_average([3])


@needs_mpi
def test_averages_keep_shapes_and_dtypes(alone):
    a = torch.nn.Parameter(torch.arange(4.0).view(2, 2))
    b = torch.nn.Parameter(torch.ones(3, dtype=torch.float64))
    utils.average_parameters([a, b], None)
    assert a.tolist() == [[0, 1], [2, 3]]
    assert b.dtype == torch.float64
    utils.average_parameters([], GroupMember.NON_GROUP_MEMBER)  # which does nothing
