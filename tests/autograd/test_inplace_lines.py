"""Lines that change a saved tensor in place, in the notes of the error."""

from __future__ import annotations

import linecache
import sys

import numpy as np
import pytest

import edutorch as torch
from edutorch import nn
from edutorch.autograd.inplace_lines import holders_of, inplace_lines

SHARED = torch.ones(3)


def notes_of(program) -> list[str]:
    """The lines named in the notes of the error that a program ends with."""
    with pytest.raises(RuntimeError, match="modified by an inplace") as caught:
        program()
    head = "  a line that may have changed it in place: "
    found = [n.removeprefix(head) for n in caught.value.__notes__ if n.startswith(head)]
    return [note.partition(": ")[2] for note in found]


def result_changed():
    y = torch.ones(3, requires_grad=True).exp()
    z = y.sum()
    y.add_(1)
    z.backward()


def view_changed():
    y = torch.ones(3, requires_grad=True).exp()
    first = y[:1]
    first.mul_(2)
    y.sum().backward()


def global_changed():
    z = (torch.ones(3, requires_grad=True) * SHARED).sum()
    SHARED.add_(0)
    z.backward()


def parameter_updated():
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(torch.ones(1, 2)).sum()
    loss.backward(retain_graph=True)
    optimizer.step()
    loss.backward()


def changed_elsewhere():
    y = torch.ones(3, requires_grad=True).exp()
    change(y)
    y.sum().backward()


def change(y):
    y.add_(1)


def changed_later():
    y = torch.ones(3, requires_grad=True).exp()
    change(y)
    y.sum().backward()
    y.mul_(2)


def changed_in_a_loop():
    y = torch.ones(3, requires_grad=True).exp()
    for _ in range(2):
        y.sum().backward(retain_graph=True)
        y.mul_(2)
    y.mul_(3)


def changed_in_the_same_statement():
    y = torch.ones(3, requires_grad=True).exp()
    torch.autograd.backward(
        y.sum(),
        y.mul_(2).sum().detach(),
    )


def flag_changed():
    y = torch.ones(3, requires_grad=True).exp()
    same = y.detach()
    same.requires_grad_(False)
    change(y)
    y.sum().backward()


@pytest.mark.parametrize(
    ("program", "lines"),
    [
        (result_changed, ["y.add_(1)"]),
        (view_changed, ["first.mul_(2)"]),
        (global_changed, ["SHARED.add_(0)"]),
        (parameter_updated, ["optimizer.step()"]),
        (changed_elsewhere, []),  # its frame has ended: nothing is known
        (changed_later, []),
        (changed_in_a_loop, ["y.mul_(2)"]),
        (changed_in_the_same_statement, ["y.mul_(2).sum().detach(),"]),
        (flag_changed, []),
    ],
)
def test_error_names_the_lines_that_change_what_was_saved(program, lines):
    assert notes_of(program) == lines


def test_error_names_file_line_and_function_after_the_node():
    with pytest.raises(RuntimeError) as caught:
        result_changed()
    node, line = caught.value.__notes__
    assert node == "  in the backward of Exp() (ExpBackward0)"
    first = result_changed.__code__.co_firstlineno
    assert f"{__file__}:{first + 3}, in result_changed: y.add_(1)" in line


def test_anomaly_detection_adds_the_line_that_saved_it():
    with pytest.raises(RuntimeError) as caught, torch.autograd.detect_anomaly():
        result_changed()
    assert "requires_grad=True).exp()" in caught.value.__notes__[-1]


def test_holders_share_memory_and_optimizers_hold_such_a_parameter():
    w = torch.ones(3, requires_grad=True)
    part, other = w.detach()[1:], np.ones(3)
    mine, its = torch.optim.SGD([w], lr=1), torch.optim.SGD([torch.ones(1)], lr=1)
    assert holders_of(sys._getframe(), w._data) == (["w", "part"], ["mine"])
    del part, other, mine, its


class Proxy:
    """An object that answers no question, as a proxy of an absent one."""

    def __getattribute__(self, name):
        raise RuntimeError("no object")


class OddGroups:
    param_groups = ("a", {"params": [1]}, {}, 3)


def test_objects_that_are_no_optimizers_do_not_hide_the_error():
    proxy, odd = Proxy(), OddGroups()
    odd.__dict__["param_groups"] = list(OddGroups.param_groups)
    y = torch.ones(3, requires_grad=True).exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        y.sum().backward()
    del proxy, odd


def test_lines_that_change_a_variable_are_listed():
    kept = other = torch.ones(2)
    kept.add_(1)
    kept += 1
    kept[0] = 3
    other.add_(1)
    kept.add(1)
    found = inplace_lines({"kept"}, sys._getframe())
    assert [linecache.getline(c.file, c.line).strip() for c in found] == [
        "kept.add_(1)",
        "kept += 1",
        "kept[0] = 3",
    ]


def test_lines_of_a_cell_are_those_of_all_its_statements():
    text = "x = make()\nx.add_(1)\ndef f(x):\n    x.mul_(2)\nframe = here()\n"
    linecache.cache["<cell>"] = (len(text), None, text.splitlines(True), "<cell>")
    last = compile("\n" * 4 + "frame = here()", "<cell>", "exec")  # as IPython does
    scope = {"here": lambda: sys._getframe(1)}
    exec(last, scope)
    found = inplace_lines({"x"}, scope["frame"])
    assert [(place.line, place.func) for place in found] == [(2, "<module>")]
