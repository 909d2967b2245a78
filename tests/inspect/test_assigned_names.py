"""What a line calls the result of an op."""

from __future__ import annotations

import pytest

from edutorch.inspect.assigned_names import assigned_name


@pytest.mark.parametrize(
    ("text", "op", "name"),
    [
        ("y = a * b", "mul", "y"),
        ("z = y + a", "add", "z"),
        ("L = z ** 2", "pow", "L"),
        ("h = torch.tanh(w @ x)", "tanh", "h"),
        ("n = -x", "neg", "n"),
        ("s = x.sum()", "sum", "s"),
        ("h = torch.tanh(w @ x)", "matmul", ""),
        ("n = len(a * b)", "mul", ""),
        ("n = (a * b).item()", "mul", ""),
        ("y, z = a * b, 1", "mul", ""),
        ("self.y = a * b", "mul", ""),
        ("y = accuracy(a * b)", "mul", ""),
        ("y = torch.relu(", "relu", ""),
        ("print(a * b)", "mul", ""),
        ("y = z = a * b", "mul", ""),
        ("y = 3", "mul", ""),
    ],
)
def test_name_is_that_of_the_line(text, op, name):
    assert assigned_name(text, op) == name
