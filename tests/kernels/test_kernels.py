"""Plain mode runs formulas: a training step enters no file of the fast path."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.kernels import FAST_PATH
from edutorch.nn import functional as F

LIBRARY = str(Path(torch.__file__).parent) + "/"
OPTIMIZERS = [
    "ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS",
    "Muon", "NAdam", "RAdam", "RMSprop", "Rprop", "SGD", "SparseAdam",
]  # fmt: skip


def entered(action):
    """The files, and the files with functions, of the library that an action enters."""
    found = set()

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(LIBRARY):
            file = code.co_filename.removeprefix(LIBRARY)
            found.update({file, f"{file}:{code.co_name}"})

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return found


def fast(found):
    return sorted(name for name in found if name.startswith(FAST_PATH))


def mlp():
    layers = nn.Linear(600, 64), nn.ReLU(), nn.Linear(64, 10)
    return nn.Sequential(*layers), torch.randn(600, 600), 600


def cnn():
    net = nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 64, 3, padding=1), nn.LeakyReLU(), nn.AvgPool2d(2),
        nn.Conv2d(64, 64, 3, padding=1), nn.Conv2d(64, 64, 3, padding=1, groups=64),
        nn.Conv2d(64, 4, 1), nn.ConvTranspose2d(4, 4, 3, padding=1), nn.GroupNorm(2, 4),
        nn.Flatten(), nn.Dropout(), nn.Linear(196, 10),
    )  # fmt: skip
    return net, torch.randn(32, 1, 28, 28), 32


class Tokens(nn.Module):
    """Scores of the next token by a layer over embedded tokens."""

    def __init__(self, layer):
        super().__init__()
        self.embedding, self.layer = nn.Embedding(10, 32), layer
        self.out = nn.Linear(32, 10)

    def forward(self, x):
        y = self.layer(self.embedding(x))
        return self.out(y[0] if isinstance(y, tuple) else y).flatten(0, 1)


def lstm():
    return Tokens(nn.LSTM(32, 32, 2)), torch.randint(0, 10, (12, 8)), 96


def gru():
    return Tokens(nn.GRU(32, 32)), torch.randint(0, 10, (12, 8)), 96


def transformer():
    layer = nn.TransformerEncoderLayer(32, 4, 64, activation="gelu")
    return Tokens(layer), torch.randint(0, 10, (64, 64)), 4096


def training_step(model, x, samples, optimizer):
    target = torch.randint(0, 10, (samples,))

    def step():
        optimizer.zero_grad()
        F.cross_entropy(model(x), target).backward()
        optimizer.step()

    return step


@pytest.mark.parametrize("kind", [mlp, cnn, lstm, gru, transformer])
def test_plain_mode_when_a_model_is_trained_enters_no_fast_path(kind):
    model, x, samples = kind()
    step = training_step(model, x, samples, torch.optim.SGD(model.parameters(), 0.1))
    with torch.config.kernels("plain"):
        found = entered(step)
    assert fast(found) == []
    assert any(name.startswith("kernels/plain/") for name in found)


def test_auto_mode_when_a_debugger_is_attached_enters_no_fast_path():
    model, x, samples = cnn()
    step = training_step(model, x, samples, torch.optim.Adam(model.parameters()))
    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        with torch.config.kernels("auto"):
            found = entered(step)
    finally:
        sys.settrace(before)
    assert fast(found) == []


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_plain_mode_when_an_optimizer_steps_enters_no_fast_path(name):
    p = nn.Parameter(torch.randn(80, 80))
    optimizer = getattr(torch.optim, name)([p], lr=0.01)

    def closure():
        return (p * p).sum()

    indices = torch.tensor([[0, 1], [1, 0]])
    p.grad = torch.randn(80, 80)
    if name == "SparseAdam":
        p.grad = torch.sparse_coo_tensor(indices, torch.ones(2), (80, 80))
    with torch.config.kernels("plain"):
        found = entered(lambda: optimizer.step(closure))
    assert fast(found) == []


def test_auto_mode_enters_the_fast_path():
    model, x, samples = cnn()
    step = training_step(model, x, samples, torch.optim.Adam(model.parameters()))
    with torch.config.kernels("auto"):
        assert fast(entered(step))


def test_fast_path_names_files_and_functions_that_exist():
    for name in FAST_PATH:
        file, _, function = name.partition(":")
        path = Path(LIBRARY) / file
        assert path.exists()
        assert not function or f"def {function}(" in path.read_text()
