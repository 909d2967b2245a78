"""Programs that go wrong, or are large or strange, for views to watch.

Each takes a number of steps to nothing but its own state, and returns numbers that the
same program gives again. What it appends to `made` should be freed with it.
"""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass

import edutorch as torch
from edutorch import nn, optim
from edutorch.utils.data import DataLoader, TensorDataset

__all__ = ["PROGRAMS", "Outcome", "outcome"]

PROGRAMS = {}


@dataclass
class Outcome:
    """What a program gives: its numbers, or how it ended, and what of it is alive.

    Attributes:
        values: bytes of the tensors that it returned.
        error: type and message of what ended it; None where it came to its end.
        alive: how many of the tensors that it has told of outlive it.
    """

    values: list
    error: tuple | None
    alive: int


def outcome(program, before=lambda model: None):
    """Run a program from the same seed; `before` is given its model first."""
    torch.manual_seed(0)
    made = []
    values, error = [], None
    try:
        values = [_bytes(value) for value in program(before, made)]
    except BaseException as raised:
        error = type(raised), str(raised)
        raised.__traceback__ = None
        _without_traces(raised)
    return Outcome(values, error, sum(ref() is not None for ref in made))


def _without_traces(raised):
    while raised is not None:
        raised.__traceback__ = None
        raised = raised.__context__


def _bytes(value):
    value = value.detach()
    if value.dtype is torch.bfloat16:
        value = value.float()
    return str(value.dtype), tuple(value.shape), value.cpu().numpy().tobytes()


def program(function):
    """Enter a program under its name."""
    PROGRAMS[function.__name__] = function
    return function


class Faulty(nn.Module):
    """A net whose part fails where it is told to."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 2)
        self.fail = None

    def forward(self, x):
        """Scores."""
        hidden = self.first(x).relu()
        if self.fail is not None:
            hidden = self.fail(hidden)
        return self.second(hidden)


def trained(model, steps, made, act=None):
    """Train a net; `act` is called with the number of each step and the loss."""
    optimizer = optim.Adam(model.parameters(), lr=0.01)
    loss = None
    for i in range(steps):
        if act is not None:
            act(i, optimizer)
        out = model(torch.randn(3, 4))
        loss = (out**2).mean()
        made += [weakref.ref(out), weakref.ref(loss), weakref.ref(loss.grad_fn)]
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    made += map(weakref.ref, model.parameters())
    return [loss, *model.parameters()]


@program
def nothing(watch, made):
    """A model, and no operation."""
    model = Faulty()
    watch(model)
    return list(model.parameters())


@program
def plain(watch, made):
    """Nothing is wrong."""
    model = Faulty()
    watch(model)
    return trained(model, 4, made)


@program
def forward_fails(watch, made):
    """Sizes that do not fit, in the second step."""
    model = Faulty()
    watch(model)

    def act(i, optimizer):
        model.fail = (lambda x: x @ torch.ones(3, 3)) if i else None

    return trained(model, 3, made, act)


class Refusing(torch.autograd.Function):
    """Its backward fails."""

    @staticmethod
    def forward(ctx, x):
        """The same."""
        return x * 1

    @staticmethod
    def backward(ctx, g):
        """Sizes that do not fit."""
        return g @ torch.ones(3, 3)


@program
def backward_fails(watch, made):
    """In a node of the program's own."""
    model = Faulty()
    watch(model)

    def act(i, optimizer):
        model.fail = Refusing.apply if i else None

    return trained(model, 3, made, act)


@program
def step_fails(watch, made):
    """A hook of the optimizer raises."""
    model = Faulty()
    watch(model)

    def fails(optimizer, args, kwargs):
        raise ArithmeticError("no step")

    def act(i, optimizer):
        if i == 1:
            optimizer.register_step_pre_hook(fails)

    return trained(model, 3, made, act)


@program
def interrupted_in_forward(watch, made):
    """Ctrl-C in a hook of a module."""
    model = Faulty()
    watch(model)

    def interrupt(*_):
        raise KeyboardInterrupt

    def act(i, optimizer):
        if i == 1:
            model.second.register_forward_pre_hook(interrupt)

    return trained(model, 3, made, act)


@program
def interrupted_in_backward(watch, made):
    """Ctrl-C in a hook of a gradient."""
    model = Faulty()
    watch(model)

    def interrupt(_):
        raise KeyboardInterrupt

    def act(i, optimizer):
        if i == 1:
            model.first.weight.register_hook(interrupt)

    return trained(model, 3, made, act)


@program
def interrupted_after_step(watch, made):
    """Ctrl-C in a hook of the optimizer."""
    model = Faulty()
    watch(model)

    def interrupt(*_):
        raise KeyboardInterrupt

    def act(i, optimizer):
        if i == 1:
            optimizer.register_step_post_hook(interrupt)

    return trained(model, 3, made, act)


@program
def caught_and_continued(watch, made):
    """A step fails, and training continues."""
    model = Faulty()
    watch(model)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for i in range(4):
        model.fail = Refusing.apply if i == 1 else None
        try:
            model(torch.randn(3, 4)).sum().backward()
        except RuntimeError:
            continue
        optimizer.step()
    return list(model.parameters())


@program
def called_ten_thousand_times(watch, made):
    """One module, in one step."""
    model = Faulty()
    watch(model)
    part = nn.Linear(2, 2)
    x = torch.ones(1, 2)
    for _ in range(10_000):
        with torch.no_grad():
            x = part(x)
    return [x]


@program
def step_never_ends(watch, made):
    """20,000 operations that are recorded, without an optimizer's step."""
    x = start = torch.ones(3, requires_grad=True)
    watch(None)
    for i in range(20_000):
        x = x * 1.0001
        if i % 2000 == 0:
            made.append(weakref.ref(x))
    x.sum().backward()
    return [x, start.grad]


@program
def alike_names(watch, made):
    """Ten thousand tensors in a dictionary under one kind of name, all alive."""
    held = nn.ParameterList([nn.Parameter(torch.ones(1)) for _ in range(10_000)])
    watch(held)
    loss = torch.cat([p * 2 for p in held]).sum()
    loss.backward()
    made += map(weakref.ref, held)
    return [loss, held[5].grad]


@program
def not_finite(watch, made):
    """Nan and infinity in values, gradients and parameters."""
    model = Faulty()
    with torch.no_grad():
        model.first.weight.fill_(float("nan"))
        model.second.bias.fill_(float("inf"))
    watch(model)
    values = trained(model, 3, made)
    x = torch.full((3,), float("-inf"), requires_grad=True)
    (x * 0).exp().log().sum().backward()
    return [*values, x.grad]


@program
def empty(watch, made):
    """Tensors of no elements, through a net and back."""
    model = Faulty()
    watch(model)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    out = model(torch.zeros(0, 4))
    out.sum().backward()
    optimizer.step()
    x = torch.zeros(0, 3, 0, requires_grad=True)
    y = (x * 2).reshape(0).sum()
    y.backward()
    return [out, y, x.grad, *model.parameters()]


@program
def odd_dtypes(watch, made):
    """Numbers without dimensions, integers, booleans, complex, bfloat16, halves."""
    watch(None)
    x = torch.tensor(2.0, requires_grad=True)
    z = torch.tensor([1 + 2j, 3j], requires_grad=True)
    (x * x).backward()
    (z * z.conj()).abs().sum().backward()
    half = torch.tensor([1.0, 70000.0]).half()
    brain = torch.ones(3, dtype=torch.bfloat16, requires_grad=True)
    (brain * 3).sum().backward()
    whole = torch.arange(5).cumsum(0) << 2
    big = torch.tensor([2**63 - 1, -(2**63)])
    small = torch.tensor([255], dtype=torch.uint8) + 1
    return [x.grad, z.grad, half, brain.grad, whole, whole > 3, big, small]


@program
def expanded(watch, made):
    """A hundred million elements over one number."""
    model = nn.Linear(1, 1)
    watch(model)
    x = torch.ones(1, requires_grad=True)
    wide = x.expand(100_000_000)
    made.append(weakref.ref(wide))
    few = wide[:5] * 2
    few.sum().backward()
    return [few, x.grad]


@program
def two_threads(watch, made):
    """Two trainings at once."""
    models = [nn.Linear(4, 2), nn.Linear(4, 2)]
    data = torch.randn(30, 3, 4)
    watch(models[0])
    failed = []

    def train(model):
        try:
            optimizer = optim.SGD(model.parameters(), lr=0.01)
            for x in data:
                optimizer.zero_grad()
                (model(x) ** 2).mean().backward()
                optimizer.step()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=train, args=(m,)) for m in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return [p for model in models for p in model.parameters()]


@program
def workers(watch, made):
    """Processes that load data while views are open."""
    model = nn.Linear(4, 2)
    watch(model)
    optimizer = optim.SGD(model.parameters(), lr=0.01)
    data = TensorDataset(torch.randn(12, 4))
    for (x,) in DataLoader(data, batch_size=3, num_workers=2):
        (model(x) ** 2).mean().backward()
        optimizer.step()
    return list(model.parameters())


@program
def names_like_markup(watch, made):
    """Names that look like HTML, with line ends, quotes, control characters."""
    kind = type("<img src=x onerror=alert(1)>\n\x1b[31m'\"]]>&", (Faulty,), {})
    model = nn.Module()
    model.add_module("</script><b>\ud800\u202e", kind())
    inner = next(model.children())
    watch(inner)
    torch.events.mark("<svg onload=alert(1)>\x01", "begin")
    return trained(inner, 2, made)


@program
def views_closed_in_mid_step(watch, made):
    """The last thing that happens before backward."""
    model = Faulty()
    close = watch(model)

    def act(i, optimizer):
        if i == 1:
            model.fail = lambda x: (close() if close else None, x)[1]

    return trained(model, 3, made, act)
