# noqa: INP001 (a script, not a package)
"""How much code a reader meets when stepping through a training step.

`python benchmarks/frames.py` prints, for Linear-ReLU-Linear, cross entropy, backward
and Adam with plain kernels, how many functions of the library are entered, and in how
many files; how many frames are between the user's line and a formula; and at how many
lines a debugger's "step into" stops between the two. Functions and lines are counted
both with and without `config.DEBUGGER_SKIP`, the modules of checks, dispatch and
storage that a debugger passes over. `--list` prints each
function in the order of the calls.
"""

from __future__ import annotations

import bdb
import sys
from collections.abc import Callable, Iterable
from fnmatch import fnmatch
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import edutorch as torch
from edutorch import nn
from edutorch.config import DEBUGGER_SKIP
from edutorch.kernels.plain.norm import normalize_rows as plain_norm
from edutorch.nn import functional as F
from edutorch.ops.rnn.unrolled import unrolled_lstm

LIBRARY = str(Path(torch.__file__).parent)
Entered = tuple[int, str, str]  # depth, file, function


class Step:
    """One training step in four parts."""

    def __init__(self) -> None:
        torch.manual_seed(0)
        self.model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.x, self.target = torch.randn(5, 4), torch.tensor([0, 1, 2, 0, 1])
        self.y = self.loss = torch.empty(0)

    def forward(self) -> None:
        """The model."""
        self.y = self.model(self.x)

    def cross_entropy(self) -> None:
        """The loss."""
        self.loss = F.cross_entropy(self.y, self.target)

    def backward(self) -> None:
        """The gradients."""
        self.loss.backward()

    def adam(self) -> None:
        """The optimizer, for four parameters."""
        self.optimizer.step()

    @property
    def parts(self) -> list[Callable[[], None]]:
        """All four, in order."""
        return [self.forward, self.cross_entropy, self.backward, self.adam]


def entered(part: Callable[[], Any]) -> list[Entered]:
    """The functions of the library that a call enters."""
    found: list[Entered] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(LIBRARY):
            name = file.removeprefix(f"{LIBRARY}/")
            found.append((_depth(frame), name, frame.f_code.co_name))

    sys.setprofile(note)
    try:
        part()
    finally:
        sys.setprofile(None)
    return found


def _depth(frame: FrameType | None) -> int:
    """How many frames of the library called this one."""
    depth = -1
    while frame is not None:
        depth += frame.f_code.co_filename.startswith(LIBRARY)
        frame = frame.f_back
    return depth


class Stepper(bdb.Bdb):
    """A debugger in which "step into" is pressed again and again, until `goal`."""

    def __init__(self, goal: CodeType, skip: Iterable[str] | None) -> None:
        super().__init__(skip=skip)
        self.goal = goal
        self.reached = False
        self.stops: list[str] = []

    def user_line(self, frame: FrameType) -> None:
        """Step on; count lines of the library."""
        code = frame.f_code
        self.reached = self.reached or code is self.goal
        if self.reached:
            self.set_continue()
            return
        if code.co_filename.startswith(LIBRARY):
            file = code.co_filename.removeprefix(f"{LIBRARY}/")
            self.stops.append(f"{file}:{frame.f_lineno} {code.co_name}")
        self.set_step()


def steps_into(
    part: Callable[[], Any], goal: CodeType, skip: Iterable[str] | None = None
) -> list[str] | None:
    """The lines of the library at which a debugger stops before it enters `goal`."""
    stepper = Stepper(goal, skip)
    before = sys.gettrace()
    try:
        stepper.runcall(part)
    finally:
        sys.settrace(before)
    return stepper.stops if stepper.reached else None


def training_step() -> dict[str, list[Entered]]:
    """What each part of a training step enters; the first two steps do not count."""
    step = Step()
    with torch.config.kernels("plain"):
        for part in step.parts * 2:
            part()
        step.optimizer.zero_grad()
        return {part.__name__: entered(part) for part in step.parts}


def to_the_mathematics() -> dict[str, list[list[str] | None]]:
    """Stops from calls of layers and from `backward` to their formulas.

    Each without and with the modules that `config.DEBUGGER_SKIP` passes over.
    """
    conv, images = nn.Conv2d(3, 4, 3), torch.randn(1, 3, 8, 8)
    norm, lstm, sequence = nn.BatchNorm2d(3), nn.LSTM(4, 6), torch.randn(7, 2, 4)
    logits = torch.randn(5, 3, requires_grad=True)
    target = torch.tensor([0, 1, 2, 0, 1])
    losses = iter([F.cross_entropy(logits, target) for _ in range(3)])
    convolution = type(conv(images).grad_fn).forward
    formula = type(next(losses).grad_fn).backward
    calls = {
        "conv(x) to the convolution": (lambda: conv(images), convolution),
        "batch_norm(x) to its formula": (lambda: norm(images), plain_norm),
        "lstm(x) to its loop over time": (lambda: lstm(sequence), unrolled_lstm),
        "backward() to the first formula": (lambda: next(losses).backward(), formula),
    }
    with torch.config.kernels("plain"):
        conv(images), norm(images), lstm(sequence)
        return {
            name: [
                steps_into(call, goal.__code__, skip) for skip in (None, DEBUGGER_SKIP)
            ]
            for name, (call, goal) in calls.items()
        }


def frames_to_the_mathematics() -> dict[str, int]:
    """The frames of the library between the user's line and a formula."""
    layer, x = nn.Linear(4, 8), torch.randn(5, 4)
    loss = F.cross_entropy(layer(x), torch.tensor([0, 1, 2, 0, 1]))
    calls = {
        "linear(x) to its formula": (lambda: layer(x), "forward"),
        "backward() to the loss's formula": (loss.backward, "backward"),
    }
    with torch.config.kernels("plain"):
        return {
            name: max(
                depth
                for depth, file, function in entered(call)
                if function == goal and file.startswith("ops/")
            )
            for name, (call, goal) in calls.items()
        }


def stepped_into(found: list[Entered]) -> list[Entered]:
    """Those functions that `config.DEBUGGER_SKIP` does not pass over."""
    return [entry for entry in found if not _skipped(entry[1])]


def _skipped(file: str) -> bool:
    module = "edutorch." + file.removesuffix(".py").replace("/", ".")
    return any(fnmatch(module, pattern) for pattern in DEBUGGER_SKIP)


def table(parts: dict[str, list[Entered]]) -> dict[str, list[int]]:
    """The functions of each part, and those that the skip list leaves.

    Together also the files: functions, files, functions left, files left.
    """
    rows = {name: [len(p), len(stepped_into(p))] for name, p in parts.items()}
    every = [entry for found in parts.values() for entry in found]
    rows["together"] = []
    for found in (every, stepped_into(every)):
        rows["together"] += [len(found), len({file for _, file, _ in found})]
    return rows


def functions_entered() -> dict[str, list[int]]:
    """The table of a training step."""
    return table(training_step())


def main(*, listed: bool) -> None:
    """Print both tables."""
    parts = training_step()
    rows = table(parts)
    for name, found in parts.items():
        print(f"{name:32}{rows[name][0]:4} functions, ", end="")
        print(f"{rows[name][1]:3} with the skip list")
        for depth, file, function in found if listed else []:
            print(f"    {'  ' * depth}{file} {function}")
    total, files, left, files_left = rows["together"]
    print(f"{'together':32}{total:4} functions in {files} files, ", end="")
    print(f"{left} in {files_left} with the skip list")
    for name, frames in frames_to_the_mathematics().items():
        print(f"{name:32}{frames:4} frames")
    for name, (every, skipping) in to_the_mathematics().items():
        print(f"{name:32}{len(every):4} lines, {len(skipping):3} with the skip list")
        for stop in skipping if listed else []:
            print(f"    {stop}")


if __name__ == "__main__":
    main(listed="--list" in sys.argv)
