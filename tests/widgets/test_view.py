"""What the views have in common."""

from __future__ import annotations

import base64
import json
import threading
import xml.etree.ElementTree as ET

import pytest

import edutorch as torch
from edutorch import events
from edutorch.widgets import ErrorCard, GraphView, MemoryView, TensorCard
from edutorch.widgets import view as module
from edutorch.widgets.refresher import refresher
from edutorch.widgets.saved_views import KINDS
from edutorch.widgets.watch import VIEWS, open_views
from tests.inspect.models import mlp
from tests.widgets.waiting import until

LIVE = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(autouse=True)
def nothing_left_open():
    yield
    for view in refresher.views():
        view.close()
    assert events.active == ()


def test_view_when_created_watches_until_closed():
    view = GraphView()
    assert events.active
    view.close()
    assert events.active == ()
    assert view.frozen


def test_data_when_something_runs_is_sent_by_the_pump():
    view = GraphView()
    torch.ones(2) * 3
    assert until(lambda: len(view.data["nodes"]) == 2)


def test_bundle_when_shown_carries_view_svg_png_and_text():
    with GraphView() as view:
        torch.ones(2) * 3
        data, meta = view._repr_mimebundle_()
        alt = view.text().partition("\n")[0]
        assert meta["image/png"] == {"width": view.picture().width, "alt": alt}
        assert meta["image/svg+xml"] == {"alt": alt}
        assert f"<title>{alt}</title>" in data["image/svg+xml"]
    assert LIVE in data
    assert data["image/svg+xml"].startswith("<svg")
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert data["text/plain"].startswith("Graph of 1 operation")


def test_freeze_when_called_keeps_the_picture_and_says_when():
    view = GraphView()
    torch.ones(2) * 3
    view.freeze()
    torch.ones(2) * 3 * 4
    assert view.status == "recorded at step 0"
    assert len(view.data["nodes"]) == 2
    assert "(recorded at step 0)" in view.svg()
    view.freeze("again")
    assert view.status == "recorded at step 0"


def test_freeze_when_the_pump_looks_meanwhile_shows_the_end(monkeypatch):
    view = GraphView()
    x = torch.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    events.next_step()
    (x * 2).sum().backward()
    end = refresher.remove

    def remove(one):
        one._last_seq = -1  # as if training had gone on since the refresher's last look
        thread = threading.Thread(target=one.tick)
        thread.start()
        thread.join(0.2)
        end(one)

    monkeypatch.setattr(refresher, "remove", remove)
    view.freeze()
    assert view.text().startswith("Graph of 2 operations, step 1")


def test_view_when_its_cell_runs_again_is_replaced(monkeypatch):
    made = []
    for cell in (1, 2):
        monkeypatch.setattr(module.cells, "count", lambda cell=cell: cell)
        made.append(GraphView())
    assert made[0].frozen
    assert made[0].status == "replaced by a newer view"
    assert not made[1].frozen


def test_views_when_made_in_one_loop_stand_side_by_side_up_to_a_number():
    views = [MemoryView() for _ in range(module.MOST + 1)]
    assert [v.frozen for v in views] == [True] + [False] * module.MOST


def test_tick_when_something_breaks_freezes_the_view_only(monkeypatch):
    view = GraphView()

    def broken(current):
        raise KeyError("broken")

    monkeypatch.setattr(view._recorder, "snapshot", broken)
    view.tick()
    assert view.frozen
    assert view.status == "stopped: KeyError: 'broken'"


def test_view_whose_recorder_fails_says_so_and_the_training_goes_on(monkeypatch):
    view, other = GraphView(), MemoryView("cpu")

    def fails(record):
        raise IndexError("a forged record")

    monkeypatch.setitem(view._recorder._log._handlers, "op", fails)
    result = torch.ones(2) * 3
    assert result.tolist() == [3.0, 3.0]
    assert until(lambda: view.frozen)
    assert view.status == "stopped: IndexError: a forged record"
    assert not other.frozen


@pytest.mark.parametrize("kind", VIEWS)
def test_any_view_whose_recorder_fails_leaves_losses_as_they_are(kind):
    expected = train()
    (view,) = open_views([kind])
    subscription = events._subscriptions[view._recorder.name]

    def fails(record):
        raise ArithmeticError("wrong")

    subscription.handler = subscription.other = fails
    subscription.level = subscription.level  # takes effect
    assert train() == expected
    assert until(lambda: view.frozen)
    assert view.status == "stopped: ArithmeticError: wrong"


@pytest.mark.parametrize("kind", VIEWS)
def test_any_view_receives_data_while_a_training_runs(kind):
    (view,) = open_views([kind])
    before = view.data
    train()
    assert until(lambda: view.data != before)
    assert not view.frozen


@pytest.mark.parametrize("kind", KINDS)
def test_any_view_is_written_in_each_format(kind, tmp_path):
    view = view_of(kind)
    train()
    view.freeze()
    file = tmp_path / "view"
    for suffix in (".svg", ".png", ".json", ".txt", ".html"):
        view.export(file.with_suffix(suffix))
    assert ET.parse(file.with_suffix(".svg")).getroot().tag.endswith("svg")
    assert file.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    shown = json.loads(json.dumps(view.data))
    assert json.loads(file.with_suffix(".json").read_text("utf-8")) == shown
    assert file.with_suffix(".txt").read_text("utf-8") == view.text()
    assert "<script" in file.with_suffix(".html").read_text("utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_any_view_in_a_saved_notebook_has_pictures_and_the_text(kind):
    view = view_of(kind)
    train()
    view.freeze()
    data, _ = view._repr_mimebundle_()
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert "edutorch-still" in data["image/svg+xml"]
    assert data["text/plain"] == view.text()
    assert view.text().strip()


def view_of(kind):
    """A new view of a kind, with what it needs."""
    if kind == "tensor":
        return TensorCard(torch.ones(2, 3))
    if kind == "error":
        with pytest.raises(RuntimeError) as caught:
            torch.ones(2, 3) @ torch.ones(2, 3)
        return ErrorCard(caught.value)
    return open_views([kind])[0]


def train():
    """The losses of three steps, always the same."""
    torch.manual_seed(0)
    net = torch.nn.Linear(3, 1)
    optimizer = torch.optim.Adam(net.parameters())
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = net(torch.ones(2, 3)).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("suffix", [".svg", ".png", ".json", ".txt", ".dot"])
def test_export_when_given_a_suffix_writes_that_format(tmp_path, suffix):
    with GraphView() as view:
        torch.ones(2) * 3
        content = view.export(tmp_path / f"graph{suffix}").read_bytes()
    starts = {".svg": b"<svg", ".png": b"\x89PNG", ".txt": b"Graph", ".dot": b"digraph"}
    if suffix == ".json":
        assert len(json.loads(content)["nodes"]) == 2
    else:
        assert content.startswith(starts[suffix])


def test_export_when_the_suffix_is_unknown_raises(tmp_path):
    with GraphView() as view, pytest.raises(ValueError, match="export\\(\\) knows"):
        view.export(tmp_path / "graph.pdf")
    assert not list(tmp_path.iterdir())


def test_export_when_suffixes_are_double_takes_the_longest(tmp_path, monkeypatch):
    with GraphView() as view:
        writers = view._writers() | {".trace.json": lambda: "trace"}
        monkeypatch.setattr(view, "_writers", lambda: writers)
        assert view.export(tmp_path / "a.b.Trace.json").read_text() == "trace"
        assert json.loads(view.export(tmp_path / "trace.json").read_text())["v"] == 1
        with pytest.raises(ValueError, match="got 'no suffix'"):
            view.export(tmp_path / ".svg")


class Shell:
    """What a view needs of IPython to publish its output."""

    execution_count = 1

    def __init__(self):
        self.display_pub = self
        self.live, self.sent, self.pngs = [], [], []

    def publish(self, data, metadata, *, transient, update):
        self.pngs.append("image/png" in data)
        if LIVE in data:
            self.live.append(data)
        else:
            self.sent.append((data["text/plain"], transient["display_id"], update))


def test_output_when_a_cell_ends_is_brought_up_to_date(monkeypatch):
    shell = Shell()
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.setattr(module, "current_shell", lambda: shell)
    with GraphView() as view:
        view._ipython_display_()
        view.cell_ended()  # nothing new: nothing is written
        torch.ones(2) * 3
        view.cell_ended()
        view.cell_ended()
        view._ipython_display_()  # another output: the first one stays
    (first, name, update), (second, again, updated), (_, other, _) = shell.sent
    assert (first, update) == ("Graph: nothing recorded yet", False)
    assert second.startswith("Graph of 1 operation")
    assert (again, updated) == (name, True)
    assert other != name


def test_output_when_someone_looks_at_it_waits_until_the_kernel_rests(monkeypatch):
    shell = Shell()
    monkeypatch.setenv("JPY_SESSION_NAME", "chapter.ipynb")
    monkeypatch.setattr(module, "current_shell", lambda: shell)
    monkeypatch.setattr(type(module.cells), "elapsed", 0.0)
    with GraphView() as view:
        view._ipython_display_()
        torch.ones(2) * 3
        view.cell_ended()
        assert len(shell.sent) == 1
        view.kernel_idle()
        view.kernel_idle()
    (_, name, _), (text, again, update) = shell.sent
    assert text.startswith("Graph of 1 operation")
    assert (again, update) == (name, True)


def test_output_when_the_cell_was_long_is_brought_up_to_date_at_once(monkeypatch):
    shell = Shell()
    monkeypatch.setenv("JPY_SESSION_NAME", "chapter.ipynb")
    monkeypatch.setattr(module, "current_shell", lambda: shell)
    monkeypatch.setattr(type(module.cells), "elapsed", module.LONG)
    with GraphView() as view:
        view._ipython_display_()
        torch.ones(2) * 3
        view.cell_ended()
        assert [update for _, _, update in shell.sent] == [False, True]


def test_data_when_the_output_is_written_are_fetched_once(monkeypatch):
    shell, fetched, fetch = Shell(), [], GraphView._fetch
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.setattr(module, "current_shell", lambda: shell)
    monkeypatch.setattr(refresher, "add", lambda view: None)
    monkeypatch.setattr(
        GraphView,
        "_fetch",
        lambda self, current: fetched.append(current) or fetch(self, current),
    )
    with GraphView() as view:
        view._ipython_display_()
        torch.ones(2) * 3
        fetched.clear()
        view.cell_ended()  # picture, text and PNG
        assert fetched == [True]
        torch.ones(2) * 3 - 1
        assert view.text().startswith("Graph of 3 operations")  # fetched again


def test_output_when_a_thread_computes_as_it_is_written_is_written_again(monkeypatch):
    shell, draw = Shell(), GraphView.picture
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.setattr(module, "current_shell", lambda: shell)

    def slow(self, note=""):  # called twice, as SVG and as PNG
        thread = threading.Thread(target=lambda: torch.ones(2) * 3)
        thread.start()
        thread.join()
        return draw(self, note)

    with GraphView() as view:
        view._ipython_display_()
        torch.ones(2) * 3
        with monkeypatch.context() as patched:
            patched.setattr(GraphView, "picture", slow)
            view.cell_ended()
        view.cell_ended()  # what the thread has done since
        texts = [text.partition(",")[0] for text, _, _ in shell.sent]
    assert texts[1:] == ["Graph of 1 operation", "Graph of 3 operations"]


def test_view_when_frozen_for_a_reason_shows_what_came_last():
    with GraphView() as view:
        torch.ones(2) * 3
        view.freeze("enough")
    assert view.text().startswith("Graph of 1 operation")


def test_output_when_frozen_is_written_a_last_time(monkeypatch):
    shell = Shell()
    monkeypatch.setenv("JPY_SESSION_NAME", "chapter.ipynb")
    monkeypatch.setattr(module, "current_shell", lambda: shell)
    with GraphView() as view:
        view._ipython_display_()
        torch.ones(2) * 3
        view.freeze()
    assert [text.partition(",")[0] for text, _, _ in shell.sent] == [
        "Graph: nothing recorded yet",
        "Graph of 1 operation",
    ]
    assert [update for _, _, update in shell.sent] == [False, True]


def test_png_when_someone_looks_follows_as_the_kernel_rests(monkeypatch):
    shell = Shell()
    monkeypatch.setenv("JPY_SESSION_NAME", "chapter.ipynb")
    monkeypatch.setattr(module, "current_shell", lambda: shell)
    with GraphView() as view:
        view._ipython_display_()
        view.kernel_idle()
        torch.ones(2) * 3
        view.freeze()
        view.cell_ended()
        view.kernel_idle()
        view.kernel_idle()  # it is there
    assert shell.pngs == [False, False, True, False, True]  # the first is the live view


def test_display_when_the_page_hides_stills_writes_the_live_view_apart(monkeypatch):
    shell = Shell()
    monkeypatch.setattr(module, "current_shell", lambda: shell)
    with GraphView() as view:
        view._ipython_display_()
        torch.ones(2) * 3
        view.cell_ended()
        (live,) = shell.live  # written once
        assert live[LIVE]["model_id"] == view.model_id
        assert live["text/plain"] == "GraphView: see below"  # always true
    assert shell.sent


def test_display_when_the_page_hides_nothing_writes_one_output(monkeypatch):
    shell = Shell()
    monkeypatch.setenv("VSCODE_PID", "1")
    monkeypatch.setattr(module, "current_shell", lambda: shell)
    with GraphView() as view:
        view._ipython_display_()
    (output,) = shell.live
    assert output["image/svg+xml"].startswith('<svg class="edutorch-still" ')
    assert (
        ">Static picture. Run the cell for the live view.<" in output["image/svg+xml"]
    )
    assert "run the cell" not in view.svg()  # a file is read where nothing runs
    assert shell.sent == []


def test_display_when_outside_a_notebook_prints_the_text(capsys):
    with GraphView() as view:
        view._ipython_display_()
    assert capsys.readouterr().out == "Graph: nothing recorded yet\n"


def test_repr_when_printed_is_one_line():
    with GraphView() as view:
        assert repr(view) == "<GraphView: Graph: nothing recorded yet>"


@pytest.mark.parametrize("kind", VIEWS)
def test_repr_shows_the_present_state(kind):
    (view,) = open_views([kind])
    with view:
        before = repr(view)
        training = mlp()
        for _ in range(2):
            training.step()
        shown = repr(view)
        view.refresh()
        assert shown == f"<{type(view).__name__}: {view._title()}>"
        assert (shown == before) == (kind == "run")  # whose title is its name


def test_freeze_when_the_data_cannot_be_made_stops_and_says_so(monkeypatch):
    view = MemoryView("cpu")

    def fails(current):
        raise ArithmeticError("no data")

    monkeypatch.setattr(view, "_fetch", fails)
    view.close()
    assert view.frozen and events.active == ()
    assert view.status == "stopped: ArithmeticError: no data"
