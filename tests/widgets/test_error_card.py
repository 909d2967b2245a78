"""ErrorCard; what it shares with other views is in test_view.py."""

from __future__ import annotations

import gc
import weakref

import pytest

import edutorch as torch
from edutorch import events
from edutorch.widgets import ErrorCard, GraphView, error_cards
from edutorch.widgets import error_card as module
from edutorch.widgets import open as open_run
from edutorch.widgets import view as view_module
from edutorch.widgets.notebook import cells


def fail():
    x, w = torch.ones(2, 3, requires_grad=True) * 2, torch.ones(4, 5)
    try:
        x @ w
    except RuntimeError as error:
        return error


class Shell:
    """As much of a notebook's shell as a card needs."""

    kernel = object()
    execution_count = 1

    def __init__(self):
        self.published = []
        self.display_pub = self

    def publish(self, data, meta, transient, update):
        self.published.append(data)


@pytest.fixture
def shell(monkeypatch):
    made = Shell()
    monkeypatch.setattr(module, "current_shell", lambda: made)
    monkeypatch.setattr(view_module, "current_shell", lambda: made)
    return made


def test_card_says_what_disagrees_and_where():
    lines = ErrorCard(fail()).text().splitlines()
    assert lines[0].startswith("RuntimeError in matmul: mat1 and mat2 shapes cannot")
    assert lines[1:5] == [
        "  inner sizes must be equal: 3 and 4",
        "  x: 2×[3] float32 on cpu",
        "  w: [4]×5 float32 on cpu",
        lines[4],
    ]
    assert lines[4].endswith("x @ w")


def test_card_keeps_neither_the_error_nor_its_frames():
    class CardError(RuntimeError):
        """One that can be referred to weakly."""

    error = CardError("sizes differ").with_traceback(fail().__traceback__)
    dead = weakref.ref(error)
    card = ErrorCard(error)
    del error
    gc.collect()
    assert dead() is None
    assert card.data["type"] == "CardError"


def test_card_is_frozen_and_listens_to_no_event():
    card = ErrorCard(fail())
    assert card.frozen
    assert events.active == ()


def test_graph_is_that_of_an_open_view_else_what_autograd_remembers():
    assert [n["name"] for n in ErrorCard(fail()).data["graph"]["nodes"]] == [
        "parameter",
        "w",
        "mul",
        "matmul",
    ]
    with GraphView():
        nodes = ErrorCard(fail()).data["graph"]["nodes"]
    assert [n["name"] for n in nodes if n["kind"] == "op"][-2:] == ["mul", "matmul"]
    assert nodes[-1]["error"].startswith("RuntimeError: mat1 and mat2")


def test_forward_line_is_told_where_a_view_has_seen_it():
    w = torch.ones(2, requires_grad=True)
    with GraphView():
        y = w.exp()
        z = y.sum()
        y.add_(1)
        with pytest.raises(RuntimeError) as caught:
            z.backward()
        card = ErrorCard(caught.value)
    assert card.data["forward"]["text"] == "y = w.exp()"
    assert [change["text"] for change in card.data["changes"]] == ["y.add_(1)"]
    assert "forward at" in card.text()


def test_card_is_kept_in_a_file_and_opened_again(tmp_path):
    card = ErrorCard(fail())
    (again,) = open_run(card.export(tmp_path / "error.edu"))
    assert again.text() == card.text()
    assert "error" in card.export(tmp_path / "error.html").read_text("utf-8")


def test_card_of_a_value_that_is_not_an_error_is_refused():
    with pytest.raises(TypeError, match="expected an exception, got str"):
        ErrorCard("RuntimeError")
    with pytest.raises(ValueError, match="no operation on tensors failed"):
        ErrorCard(KeyError("name"))


def test_error_in_a_notebook_shows_a_card(shell):
    module._show(fail())
    live, still = shell.published
    assert "application/vnd.jupyter.widget-view+json" in live
    assert still["text/plain"] == ErrorCard(fail()).text()
    assert still["image/svg+xml"].startswith("<svg")


@pytest.mark.parametrize("error", [KeyError("name"), KeyboardInterrupt()])
def test_error_of_no_operation_shows_nothing(shell, error):
    module._show(error)
    assert shell.published == []


class VerdictError(AssertionError):
    """An error that prints itself, as that of a failed check."""

    def _render_traceback_(self):
        return ["wrong"]


def raised_from(cause):
    """A verdict below a call that has tensors, with its cause."""

    def judge(x):
        raise VerdictError("wrong") from cause

    with pytest.raises(VerdictError) as caught:
        judge(torch.ones(2, 3))
    return caught.value


def test_error_that_prints_itself_shows_the_operation_that_caused_it(shell):
    module._show(raised_from(fail()))
    assert shell.published[1]["text/plain"] == ErrorCard(fail()).text()


@pytest.mark.parametrize("cause", [None, NotImplementedError("your turn")])
def test_error_that_prints_itself_without_an_operation_shows_nothing(shell, cause):
    module._show(raised_from(cause))
    assert shell.published == []


def test_error_in_a_terminal_shows_nothing(shell):
    shell.kernel = None
    module._show(fail())
    assert shell.published == []


def test_interrupt_within_an_operation_shows_nothing(shell):
    interrupt = KeyboardInterrupt().with_traceback(fail().__traceback__)
    module._show(interrupt)
    assert shell.published == []


def test_error_in_the_card_is_not_shown(shell, monkeypatch):
    def broken(_error, _recorder):
        raise ZeroDivisionError("in the card")

    monkeypatch.setattr(module, "report_error", broken)
    module._show(fail())
    assert shell.published == []


def test_cards_are_turned_off_and_on():
    assert cells.show_error is module._show  # from the import on
    error_cards(False)
    assert cells.show_error is None
    error_cards(True)
    assert cells.show_error is module._show
