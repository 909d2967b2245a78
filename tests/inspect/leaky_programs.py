"""Programs that leak, as beginners write them, and the right ones."""

from __future__ import annotations

import linecache
import textwrap

import edutorch as torch

__all__ = ["LEAKS", "RIGHT", "run_program"]

BEGIN = """
import edutorch as torch
from edutorch import nn, optim
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = optim.SGD(model.parameters(), lr=0.01)
criterion = nn.MSELoss()
def batch():
    return torch.randn(5, 4), torch.randn(5, 1)
"""
STEP = """
    x, y = batch()
    optimizer.zero_grad()
    out = model(x)
    loss = criterion(out, y)
    loss.backward()
    optimizer.step()
"""
LOOP = "for step in range(20):" + STEP

# name: program, kind of cause, line to change, the line as it should be
LEAKS: dict[str, tuple[str, str, str, str]] = {
    "total": (
        "total = 0\n" + LOOP + "    total += loss\n",
        "sum", "total += loss", "total += loss.item()",
    ),
    "total of parts": (
        "total = 0.0\n" + LOOP + "    total = total + loss * 5\n",
        "sum", "total = total + loss * 5", "total = total + (loss * 5).item()",
    ),
    "losses": (
        "losses = []\n" + LOOP + "    losses.append(loss)\n",
        "kept", "losses.append(loss)", "losses.append(loss.item())",
    ),
    "outputs": (
        "outputs = []\n" + LOOP + "    outputs.append((step, out))\n",
        "kept", "outputs.append((step, out))", "outputs.append((step, out.detach()))",
    ),
    "history": (
        'history = {"loss": []}\n' + LOOP + '    history["loss"].append(loss)\n',
        "kept", 'history["loss"].append(loss)', 'history["loss"].append(loss.item())',
    ),
    "hook": (
        "seen = []\n"
        "def remember(module, inputs, output):\n    seen.append(output)\n"
        "model[1].register_forward_hook(remember)\n" + LOOP,
        "hook", "seen.append(output)", "seen.append(output.detach())",
    ),
    "retain_graph": (
        "losses = []\n" + LOOP.replace("backward()", "backward(retain_graph=True)")
        + "    losses.append(loss)\n",
        "kept", "losses.append(loss)", "losses.append(loss.item())",
    ),
    "state": (
        "hidden = torch.zeros(5, 4)\n"
        "for step in range(20):\n"
        "    hidden = torch.tanh(model[0](hidden)[:, :4])\n"
        "    loss = hidden.sum()\n"
        "    loss.backward(retain_graph=True)\n"
        "    with torch.no_grad():\n        model[0].weight.grad.zero_()\n"
        "    events.next_step()\n",
        "state", "hidden = torch.tanh(model[0](hidden)[:, :4])",
        "hidden = hidden.detach()",
    ),
    "function": (
        "def train():\n    losses = []\n"
        + textwrap.indent(LOOP, "    ") + "        losses.append(loss)\n"
        "    finder.explain()\n    return len(losses)\ntrain()\n",
        "kept", "losses.append(loss)", "losses.append(loss.item())",
    ),
    "trainer": (
        "class Trainer:\n    def __init__(self):\n        self.total = 0\n"
        "    def train(self):\n" + textwrap.indent(LOOP, "        ")
        + "            self.total += loss\n"
        "trainer = Trainer()\ntrainer.train()\n",
        "sum", "self.total += loss", "self.total += loss.item()",
    ),
    "closure": (
        "def make():\n    cache = {}\n    def remember(step, out):\n"
        "        cache[step] = out.detach() * 1\n    return remember\n"
        "remember = make()\n" + LOOP + "    remember(step, out)\n",
        "stored", "cache[step] = out.detach() * 1", "cache.clear()",
    ),
    "cycle": (
        "class Record:\n    pass\n" + LOOP
        + "    record = Record()\n    record.me, record.out = record, out\n",
        "cycle", "", "gc.collect()",
    ),
}  # fmt: skip

RIGHT = {
    "logging": "log = []\n" + LOOP + "    log.append(loss.item())\n",
    "sum of numbers": "total = 0\n" + LOOP + "    total += float(loss)\n",
    "moving average": "ema = [p.detach().clone() for p in model.parameters()]\n"
    + LOOP
    + "    ema = [0.9 * e + 0.1 * p.detach()\n"
    "           for e, p in zip(ema, model.parameters())]\n",
    "momentum": "optimizer = optim.Adam(model.parameters())\n" + LOOP,
    "previous": "before = None\n" + LOOP + "    before = out\n",
}


def run_program(text: str, finder, name: str) -> dict:
    """Run a program whose text can be looked up; returns its variables."""
    file = f"/programs/{name.replace(' ', '_')}.py"
    source = BEGIN + text
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    space = {"__name__": "program", "finder": finder, "events": torch.events}
    exec(compile(source, file, "exec"), space)
    return space
