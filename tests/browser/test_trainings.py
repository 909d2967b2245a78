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
    generator = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 3))
    critic = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
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
    "lstm": "fit(Recurrent(), lambda: torch.randn(2, 20, 4), 3)",
    "transformer": "fit(transformer(4), lambda: torch.randint(0, 50, (2, 8)), 50)",
    "resnet": "fit(ResNet18(), lambda: torch.randn(2, 3, 32, 32), 10)",
    "gan": "fit_gan()",
}
BROKEN = """
net, optimizer = nn.Linear(2, 2), None
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    y = net(torch.ones(1, 2)).sigmoid()
    if step == 3:
        y += 1
    optimizer.zero_grad()
    y.sum().backward()
    optimizer.step()
"""
KINDS = (
    "graph", "stepper", "gradient", "run", "memory", "memory_tree", "leaks",
    "timeline", "lanes", "nan",
)  # fmt: skip


@pytest.fixture(scope="module")
def book(lab):
    cells = [SETUP, MODELS, *(WATCH + t for t in TRAININGS.values()), WATCH + BROKEN]
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


def test_loop_with_an_in_place_bug_is_shown_as_far_as_it_came(book):
    cell = 2 + len(TRAININGS)
    book.start(cell)
    book.wait_for_end()
    views = views_of(book, cell)
    card = book.page.locator(".jp-CodeCell").nth(cell).locator(".edutorch-error")
    assert "y += 1" in card.inner_text()
    assert fact(views["run"], "state") == "failed with RuntimeError"
    assert fact(views["run"], "batches") == "3"
    assert info(views["gradient"]).startswith("2 parameters · ")
    assert "sigmoid" in views["graph"].inner_text()


def test_page_reports_no_error(book):
    assert book.problems == []
    assert book.outside == []
