"""Hooks around forward, and removing them."""

from __future__ import annotations

import copy
from collections import OrderedDict

import edutorch
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


def linear(torch):
    m = torch.nn.Linear(2, 1)
    with torch.no_grad():
        m.weight.fill_(0.5)
        m.bias.fill_(1.0)
    return m


def shown(torch, values):
    """Gradients as lists, for notes that are kept."""
    return [None if v is None else v.clone() for v in values]


@programs.add
def hooks_see_and_change_arguments_and_results(torch):
    m, x, seen = linear(torch), torch.ones(1, 2), []
    m.register_forward_pre_hook(lambda mod, args: seen.append(["pre", args[0].clone()]))
    m.register_forward_pre_hook(lambda mod, args: args[0] * 2)
    m.register_forward_pre_hook(lambda mod, args: (args[0] + 1,))
    m.register_forward_hook(lambda mod, args, out: seen.append([args[0], out]))
    m.register_forward_hook(lambda mod, args, out: out * 10)
    return [m(x), seen]


@programs.add
def hooks_come_first_when_prepended(torch):
    m, seen = linear(torch), []
    m.register_forward_hook(lambda *a: seen.append("second"))
    m.register_forward_hook(lambda *a: seen.append("first"), prepend=True)
    m.register_forward_pre_hook(lambda *a: seen.append("pre 2"))
    m.register_forward_pre_hook(lambda *a: seen.append("pre 1"), prepend=True)
    m(torch.ones(1, 2))
    return seen


@programs.add
def hooks_see_keyword_arguments(torch):
    class Scale(torch.nn.Module):
        def forward(self, x, by=1):
            return x * by

    m, seen = Scale(), []

    def before(mod, args, kwargs):
        return args, {"by": kwargs["by"] + 1}

    m.register_forward_pre_hook(before, with_kwargs=True)
    m.register_forward_hook(
        lambda mod, a, k, out: seen.append(k["by"]), with_kwargs=True
    )
    good = m(torch.ones(2), by=2)
    m.register_forward_pre_hook(lambda mod, a, k: 3, with_kwargs=True)
    return [good, seen, attempt(lambda: m(torch.ones(2), by=2))]


@programs.add
def hooks_that_are_always_called(torch):
    m, seen = linear(torch), []
    m.register_forward_hook(lambda *a: seen.append("never"))
    m.register_forward_hook(
        lambda mod, args, out: seen.append(["always", out]), always_call=True
    )
    first = attempt(lambda: m(torch.ones(1, 3)))[:2]

    def broken(mod, args, out):
        raise ValueError("broken hook")

    m.register_forward_hook(broken, always_call=True)
    silenced = warned(lambda: m(torch.ones(1, 3)))[1]
    return [first, seen, silenced, attempt(lambda: m(torch.ones(1, 2)))]


@programs.add
def handles_take_hooks_away(torch):
    m, seen = linear(torch), []
    handle = m.register_forward_hook(lambda *a: seen.append(1))
    m(torch.ones(1, 2))
    handle.remove()
    handle.remove()
    m(torch.ones(1, 2))
    with m.register_forward_hook(lambda *a: seen.append(2)):
        m(torch.ones(1, 2))
    m(torch.ones(1, 2))
    return [seen, len(m._forward_hooks), len(m._forward_pre_hooks)]


@programs.add
def a_hook_may_remove_itself(torch):
    m, seen = linear(torch), []

    def once(mod, args, out):
        seen.append("once")
        handle.remove()

    handle = m.register_forward_hook(once)
    try:
        m(torch.ones(1, 2))
    except RuntimeError:
        seen.append("iteration")
    m(torch.ones(1, 2))
    return seen[0]


@programs.add
def hooks_of_all_modules(torch):
    module = torch.nn.modules.module
    net, seen = torch.nn.Sequential(linear(torch), torch.nn.ReLU()), []
    x = torch.ones(1, 2, requires_grad=True)
    net[0].register_forward_hook(lambda *a: seen.append("own"))
    with (
        module.register_module_forward_pre_hook(
            lambda m, args: seen.append(["pre", type(m).__name__])
        ),
        module.register_module_forward_hook(
            lambda m, args, out: seen.append(["post", type(m).__name__])
        ),
        module.register_module_full_backward_pre_hook(
            lambda m, g: seen.append(["back pre", type(m).__name__])
        ),
        module.register_module_full_backward_hook(
            lambda m, gx, g: seen.append(["back", type(m).__name__])
        ),
    ):
        net(x).sum().backward()
    net(x)
    return seen


@programs.add
def copies_keep_hooks(torch):
    m, seen = linear(torch), []
    m.register_forward_hook(lambda *a: seen.append(1))
    copy.deepcopy(m)(torch.ones(1, 2))
    return seen


@programs.add
def old_backward_hooks_see_the_last_operation(torch):
    m, seen = torch.nn.Tanh(), []
    m.register_backward_hook(
        lambda mod, gx, g: seen.append([shown(torch, gx), shown(torch, g)])
    )
    x = torch.ones(2, requires_grad=True)
    m(x).sum().backward()
    return [
        seen,
        attempt(lambda: m.register_full_backward_hook(lambda *a: None)),
        attempt(lambda: _mixed(torch)),
    ]


def _mixed(torch):
    m = torch.nn.Tanh()
    m.register_full_backward_hook(lambda *a: None)
    m.register_backward_hook(lambda *a: None)


@programs.add
def tables_of_hooks_can_be_emptied(torch):
    m, seen = torch.nn.Tanh(), []
    m.register_forward_hook(lambda *a: seen.append("after"))
    m.register_forward_pre_hook(lambda *a: seen.append("before"))
    counts = [len(m._forward_hooks), len(m._forward_pre_hooks)]
    m._forward_hooks = {}
    m._forward_pre_hooks.clear()
    m(torch.zeros(1))
    return [counts, seen, len(m._load_state_dict_pre_hooks), len(m._state_dict_hooks)]


@programs.add
def programs_make_handles_of_their_own(torch):
    kind = torch.utils.hooks.RemovableHandle
    hooks, extra, more = OrderedDict(), OrderedDict(), OrderedDict()
    handle = kind(hooks, extra_dict=[extra, more])
    for table in (hooks, extra, more):
        table[handle.id] = table[-1] = "hook"
    with handle:
        before = len(hooks)
    single = kind(hooks, extra_dict=extra)
    single.remove()
    made = [
        torch.nn.ReLU().register_forward_hook(print),
        torch.ones(1, requires_grad=True).register_hook(print),
        torch.nn.ReLU().register_state_dict_pre_hook(print),
    ]
    same = [isinstance(h, kind) for h in made]
    return [before, list(hooks), list(extra), list(more), same]


@programs.add
def tables_tell_options_and_kinds(torch):
    m = torch.nn.Tanh()
    kinds = [m._is_full_backward_hook]
    first = m.register_forward_hook(print, with_kwargs=True, always_call=True)
    last = m.register_forward_pre_hook(print, with_kwargs=True)
    handle = m.register_full_backward_hook(lambda *a: None)
    kinds.append(m._is_full_backward_hook)
    handle.remove()
    tables = [m._forward_hooks_with_kwargs, m._forward_hooks_always_called,
              m._forward_pre_hooks_with_kwargs]  # fmt: skip
    return [kinds, [list(t.values()) for t in tables], last.id - first.id]


@programs.add
def modules_keep_hooks_in_dictionaries_of_their_own(torch):
    m = torch.nn.ReLU()
    return sorted([name, type(value).__name__] for name, value in vars(m).items())


test_hooks = programs.test()


def test_global_backward_hooks_when_of_two_kinds_are_refused():
    module = edutorch.nn.modules.module  # PyTorch remembers the first kind for ever
    words = "as a global Module hook. Please use only one of them."
    with module.register_module_full_backward_hook(print):
        other = attempt(lambda: module.register_module_backward_hook(print))
        assert other[2].endswith(words)
    with module.register_module_backward_hook(print):
        other = attempt(lambda: module.register_module_full_backward_hook(print))
        assert other[2].endswith(words)
