"""What functions of nested tensors share."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.nested.components import component_dim, map_components, strided_refusal


def two(layout):
    parts = [torch.ones(2, 3), torch.zeros(1, 3)]
    return torch.nested.nested_tensor(parts, layout=layout)


def test_map_components_part_is_changed_by_itself():
    for layout in (torch.strided, torch.jagged):
        parts = map_components(lambda p, n: p + n, two(layout), (1, 2)).unbind()
        assert [p.mean().item() for p in parts] == [2, 2]


def test_component_dim_dimension_is_counted_inside_of_the_parts():
    x = two(torch.jagged)
    assert (component_dim(x, 2, "f"), component_dim(x, -1, "f")) == (1, 1)
    with pytest.raises(RuntimeError, match="not supported for NestedTensor on ragged"):
        component_dim(x, 1, "f")
    with pytest.raises(RuntimeError, match=r"f\(\): not supported for NestedTensor"):
        component_dim(x, 0, "f")


def test_refusal_names_the_function():
    assert "'aten::exp'" in str(strided_refusal("exp"))
