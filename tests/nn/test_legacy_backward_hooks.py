"""Backward hooks in their old form."""

from __future__ import annotations

from tests.programs import Programs, warned

programs = Programs(__file__)


def watched(torch, m, *args):
    """What the hook sees, and what is warned of."""
    seen = []
    m.register_backward_hook(lambda m, gx, g: seen.append([len(gx), list(g)]))

    def act():
        y = m(*args)
        y = y["y"] if isinstance(y, dict) else y[0] if isinstance(y, tuple) else y
        y.sum().backward()

    return [warned(act), seen]


def module(torch, forward):
    class Made(torch.nn.Module):
        def forward(self, *args):
            return forward(*args)

    return Made()


@programs.add
def one_operation_is_seen_whole(torch):
    x = torch.ones(2, requires_grad=True) * 1
    return watched(torch, module(torch, lambda x: x.exp()), x)


@programs.add
def what_is_missed_is_warned_of(torch):
    leaf = torch.ones(2, requires_grad=True)
    x = leaf * 1
    forwards = (
        lambda x: x.exp().sin(),
        lambda x: {"y": x.exp()},
        lambda x: (x.exp(), x.sin()),
        lambda x: (x.exp(), 3),
    )
    found = [watched(torch, module(torch, f), x) for f in forwards]
    found.append(watched(torch, module(torch, lambda x, n: x * n), x, 3))
    found.append(watched(torch, module(torch, lambda x: x.exp()), leaf))
    return found


@programs.add
def results_without_history_have_no_hooks(torch):
    m, seen = module(torch, lambda x: x + 1), []
    m.register_backward_hook(lambda *all: seen.append(1))
    return [warned(lambda: m(torch.ones(1))), seen]


test_old_hooks = programs.test()
