"""All live views on several kinds of training, compared with the kernel."""

from __future__ import annotations

import inspect
import re

import pytest

from tests.browser.lab import notebook_of
from tests.browser.test_first_sight import Block, ResNet18, transformer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SETUP = """
%load_ext edutorch
import edutorch as torch
from edutorch import nn
from edutorch.nn import functional as F

class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.LSTMCell(4, 8), nn.Linear(8, 3)
    def forward(self, x):
        state = None
        for part in x.unbind(1):
            state = self.cell(part, state)
        return self.head(state[0])

def mlp(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 8), nn.ReLU(), nn.Linear(8, outputs))

def cnn():
    return nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64, 10))

def fit(net, make, classes):
    global parameters, losses
    parameters, losses = list(net.parameters()), []
    optimizer = torch.optim.Adam(parameters)
    for _ in range(12):
        x = make()
        scores = net(x)
        y = torch.randint(0, classes, scores.shape[:-1])
        loss = F.cross_entropy(scores.flatten(0, -2), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())

def fit_gan():
    global parameters, losses
    generator, critic = mlp(2, 3), mlp(3, 1)
    of_critic = torch.optim.Adam(critic.parameters())
    of_generator = torch.optim.Adam(generator.parameters())
    criterion, one, zero = nn.BCEWithLogitsLoss(), torch.ones(4, 1), torch.zeros(4, 1)
    parameters, losses = [*generator.parameters(), *critic.parameters()], []
    for _ in range(12):
        fake = generator(torch.randn(4, 2))
        real = criterion(critic(torch.randn(4, 3)), one)
        total = real + criterion(critic(fake.detach()), zero)
        of_critic.zero_grad()
        total.backward()
        of_critic.step()
        of_generator.zero_grad()
        criterion(critic(fake), one).backward()
        of_generator.step()
        losses.append(total.item())
"""
MODELS = "\n".join(map(inspect.getsource, (Block, ResNet18, transformer)))
WATCH = (
    "%%watch --every-step graph stepper gradient run memory memory_tree leaks timeline"
    " lanes nan\n"
)
TRAININGS = {
    "mlp": "fit(mlp(4, 3), lambda: torch.randn(8, 4), 3)",
    "cnn": "fit(cnn(), lambda: torch.randn(4, 1, 10, 10), 10)",
    "lstm": "fit(Recurrent(), lambda: torch.randn(2, 20, 4), 3)",
    "transformer": "fit(transformer(4), lambda: torch.randint(0, 50, (2, 8)), 50)",
    "resnet": "fit(ResNet18(), lambda: torch.randn(2, 3, 32, 32), 10)",
    "gan": "fit_gan()",
}
CARD = "\nfrom edutorch.widgets import show\nshow(parameters[0], 'weight')"
BROKEN = {
    "in-place": """
net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    y = net(torch.ones(1, 2)).sigmoid()
    if step == 3:
        y += 1
    optimizer.zero_grad()
    y.sum().backward()
    optimizer.step()
""",
    "nan": """
net, losses = mlp(4, 4), []
optimizer = torch.optim.SGD(net.parameters(), lr=500.0)
batch = torch.randn(16, 4)
for _ in range(20):
    p = torch.softmax(net(batch), -1)
    loss = -(p * torch.log(p)).sum(-1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
""",
    "leak": """
net, losses = mlp(4, 1), []
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(40):
    loss = net(torch.randn(16, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss)
""",
    "memory": """
torch.cuda.simulate(devices=2, memory="1MB")
net = nn.Linear(64, 64).to("cuda")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(20):
    x = torch.randn(64 * 2**step, 64).to("cuda")
    loss = net(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
}
CELLS = ".edt-panel:not([hidden]) .edt-cells:not(.edt-tiles)"
KINDS = (
    "graph", "stepper", "gradient", "run", "memory", "memory_tree", "leaks",
    "timeline", "lanes", "nan",
)  # fmt: skip


@pytest.fixture(scope="module")
def book(lab):
    trainings = [WATCH + text + CARD for text in TRAININGS.values()]
    broken = [WATCH + text for text in BROKEN.values()]
    cells = [SETUP, MODELS, *trainings, *broken]
    lab.write_and_open("trainings.ipynb", notebook_of(*cells))
    lab.run(0)
    lab.run(1)
    return lab


def info(view):
    return view.locator(".edt-info").first.inner_text()


def fact(view, name):
    return view.locator(f'[data-fact="{name}"]').inner_text().split("\n")[-1]


def views_of(lab, cell):
    place = lab.page.locator(".jp-CodeCell").nth(cell)
    views = {kind: place.locator(f".edutorch-{kind}").first for kind in KINDS}
    for view in views.values():
        view.locator(".edt-frozen:not([hidden])").wait_for()
    return views


@pytest.mark.parametrize("name", TRAININGS)
def test_views_of_a_training_show_what_the_kernel_knows(book, name, pictures):
    cell = 2 + list(TRAININGS).index(name)
    book.run(cell)
    views = views_of(book, cell)
    book.picture(views["graph"], pictures / f"training-{name}.png")
    parameters = book.ask("len(parameters)")
    assert info(views["gradient"]).startswith(f"{parameters} parameters · 12 steps")
    assert fact(views["run"], "state") == "done"
    assert fact(views["run"], "batches") == "12"
    assert "12 steps" in info(views["timeline"])
    assert info(views["lanes"]).startswith("1 device ·")
    assert "No problem up to step" in views["nan"].inner_text()
    assert "Nothing grows" in views["leaks"].inner_text()
    assert fact(views["memory"], "now") == fact(views["memory_tree"], "now")
    assert fact(views["memory"], "peak") == fact(views["memory_tree"], "peak")
    assert re.search(r"\d+ nodes", info(views["graph"]))
    _read_the_loss(book, views["run"])
    _go_to_the_backward(views["stepper"])
    card = book.page.locator(".jp-CodeCell").nth(cell).locator(".edutorch-tensor")
    _read_the_weight(book, card)
    assert book.problems == []


def _read_the_loss(lab, view):
    """The readout at the end of the loss's chart is the program's last loss."""
    chart = view.locator(".edt-chart")
    chart.focus()
    chart.press("End")
    read = view.locator(".edt-readout").inner_text()
    assert read.startswith("step 11 · loss · ")
    assert float(read.split()[-1]) == pytest.approx(
        float(lab.ask("losses[-1]")), rel=5e-3
    )


def _go_to_the_backward(view):
    rows = view.locator(".edt-rows")
    rows.focus()
    rows.press("b")
    assert "Backward" in rows.locator("[aria-selected]").inner_text()
    assert "incoming × local = outgoing" in view.locator(".edt-detail").inner_text()


def _read_the_weight(lab, card):
    """The card reads the first weight as the kernel has it now."""
    card.locator(".edt-info").first.wait_for()
    cells = card.locator(CELLS).first
    cells.focus()
    cells.press("Home")
    index, _, value = card.locator(".edt-readout").first.inner_text().partition(" = ")
    zeros = ", ".join("0" * int(lab.ask("parameters[0].ndim")))
    assert index == f"[{zeros}]"
    weight = float(lab.ask("parameters[0].flatten()[0].item()"))
    assert float(value) == pytest.approx(weight, rel=1e-3)


def broken(lab, name):
    """The views of a training that does not end well, and its place in the page."""
    cell = 2 + len(TRAININGS) + list(BROKEN).index(name)
    lab.start(cell)
    lab.wait_for_end()
    return views_of(lab, cell), lab.page.locator(".jp-CodeCell").nth(cell)


def test_loop_with_an_in_place_bug_is_shown_as_far_as_it_came(book):
    views, cell = broken(book, "in-place")
    card = cell.locator(".edutorch-error")
    assert "y += 1" in card.inner_text()
    assert fact(views["run"], "state") == "failed with RuntimeError"
    assert fact(views["run"], "batches") == "3"
    assert info(views["gradient"]).startswith("2 parameters · ")
    assert "sigmoid" in views["graph"].inner_text()
    _go_to_the_backward(views["stepper"])


def test_training_that_goes_nan_says_where_and_goes_on(book, pictures):
    views, cell = broken(book, "nan")
    book.picture(cell, pictures / "training-nan.png")
    first = book.ask("[x == x for x in losses].index(False)")
    verdict = views["nan"].locator(".edt-verdict").inner_text()
    assert f"step {first}: log made" in verdict
    assert f"loss · step {first} · loss is nan" in views["run"].inner_text()
    assert fact(views["run"], "state") == "done"
    assert fact(views["run"], "batches") == "20"
    views["nan"].locator(".edt-trail").focus()
    views["nan"].locator(".edt-trail").press("End")
    _go_to_the_backward(views["stepper"])


def test_training_that_leaks_names_the_line(book, pictures):
    views, cell = broken(book, "leak")
    book.picture(cell, pictures / "training-leak.png")
    change = views["leaks"].locator(".edt-change code")
    assert change.all_inner_texts() == [
        "losses.append(loss)", "losses.append(loss.item())"
    ]  # fmt: skip
    assert fact(views["run"], "batches") == book.ask("len(losses)")
    _go_to_the_backward(views["stepper"])


def test_training_that_fills_a_simulated_gpu_is_shown_as_far_as_it_came(book, pictures):
    views, cell = broken(book, "memory")
    book.picture(cell, pictures / "training-memory.png")
    assert "2048" in cell.locator(".edutorch-error").inner_text()  # the batch
    assert fact(views["run"], "state") == "failed with OutOfMemoryError"
    assert "cuda:0 out of memory" in views["lanes"].inner_text()
    peak = float(book.ask("torch.cuda.max_memory_allocated() / 1024"))
    for kind in ("memory", "memory_tree"):
        assert fact(views[kind], "peak") == f"{peak:.0f} KB"
        assert fact(views[kind], "limit") == "1.0 MB"
    _go_to_the_backward(views["stepper"])


def test_page_reports_no_error(book):
    assert book.problems == []
    assert book.outside == []
