"""Work that is interrupted at random moments, in its own process.

    python tests/faults/interrupted.py training 500 1

prints one line of JSON: what was not as before after an interrupt, and the growth of
memory over the second half of them. Python itself drops a Ctrl-C that comes in a
finaliser, so it is sent again until it arrives.
"""

from __future__ import annotations

import gc
import json
import random
import resource
import signal
import sys
import tempfile
from collections.abc import Callable
from multiprocessing import active_children
from pathlib import Path

import edutorch as torch
from edutorch import widgets
from edutorch.amp import casting, state
from edutorch.autograd import modes
from edutorch.kernels import thread_pool
from edutorch.widgets.view import MOST
from tests.faults.ctrl_c import interrupt

nn = torch.nn
net = nn.Sequential(nn.Linear(20, 30), nn.ReLU(), nn.Dropout(), nn.Linear(30, 4))
optimizer = torch.optim.Adam(net.parameters())
x, t = torch.randn(16, 20), torch.randint(0, 4, (16,))
big = torch.rand(400, 4000)
folder = Path(tempfile.mkdtemp())


class Squares(torch.utils.data.Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, i):
        return torch.tensor([i * i])


def training():
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(x), t).backward()
    optimizer.step()
    with torch.no_grad():
        net(x)


def autocasting():
    with torch.autocast("cpu"):
        net(x)


def recording():
    with torch.inspect.record():
        training()


def saving():
    torch.save(net.state_dict(), folder / "net.pt")
    torch.load(folder / "net.pt")


def sharing():
    nn.functional.gelu(big)


def loading():
    for _ in torch.utils.data.DataLoader(Squares(), batch_size=2, num_workers=2):
        pass


def viewing():
    view = None
    try:
        view = widgets.GraphView(net)
        training()
    finally:
        if view is not None:
            view.close()


WORK = {w.__name__: w for w in (training, autocasting, recording, saving, sharing,
                                loading, viewing)}  # fmt: skip


def replace_views() -> None:
    """Make so many views that those which nobody holds any more have ended."""
    for view in [widgets.GraphView(net) for _ in range(MOST)]:
        view.close()
    gc.collect()


def left(work: Callable[[], None]) -> dict[str, object]:
    """What outlives a call."""
    if work is viewing:
        replace_views()
    return {
        "grad": modes.modes.grad,
        "special modes": modes._special_count,
        "autocast": str(getattr(modes.modes.autocast, "dtypes", {})),
        "nesting": state._state.nesting,
        "weights": len(casting.weights.casts),
        "listeners": len(torch.events._subscriptions),
        "pool": thread_pool._current is None,
        "handler": str(signal.getsignal(signal.SIGINT)),
    }


def main(name: str, times: int, seed: int) -> None:
    # What a shell runs in the background ignores Ctrl-C from the start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rng = random.Random(seed)
    work, longest = WORK[name], 0.15 if name == "loading" else 0.02
    work()
    found, before = {}, left(work)
    memory = 0
    for i in range(times):
        at_an_end = interrupt(work, rng.uniform(0, longest))
        now = left(work)
        if now != before:
            if not at_an_end:
                found[i] = {k: str(v) for k, v in now.items() if v != before[k]}
            torch.set_grad_enabled(True)  # the next one trains
            before = left(work)
        if i == times // 2:
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work()
    # A worker whose loader was interrupted twice notices by itself that it is alone.
    for child in active_children():
        child.join(10.0)
    children = len(active_children())
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    print(json.dumps({"found": found, "children": children, "grown_kb": grown}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
