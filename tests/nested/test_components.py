"""What functions of nested tensors share."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.nested.components import each, inner, unknown_to_strided


def two(layout):
    parts = [torch.ones(2, 3), torch.zeros(1, 3)]
    return torch.nested.nested_tensor(parts, layout=layout)


def test_each_part_is_changed_by_itself():
    for layout in (torch.strided, torch.jagged):
        parts = each(lambda p, n: p + n, two(layout), (1, 2)).unbind()
        assert [p.mean().item() for p in parts] == [2, 2]


def test_inner_dimension_is_counted_inside_of_the_parts():
    x = two(torch.jagged)
    assert (inner(x, 2, "f"), inner(x, -1, "f")) == (1, 1)
    with pytest.raises(RuntimeError, match="not supported for NestedTensor on ragged"):
        inner(x, 1, "f")
    with pytest.raises(RuntimeError, match=r"f\(\): not supported for NestedTensor"):
        inner(x, 0, "f")


def test_refusal_names_the_function():
    assert "'aten::exp'" in str(unknown_to_strided("exp"))
