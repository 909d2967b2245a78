"""Checks of chapter 5 for trees: names of parameters, and counts of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

import numpy as np

from edutorch import nn
from edutorch.course.compare import call, need_function
from edutorch.course.failure import CheckFailed
from edutorch.ops.create import from_numpy

from .ch03_numeric import with_helper
from .modules import kind_of, refuse, same_mistake, watched_methods

__all__ = ["count", "named"]

Pairs = list[tuple[str, Any]]

NAMED_RULE = (
    "a module's own parameters first, then each child's, under its name and a dot"
)
MADE_ONCE = "a list made outside, or as a default, is made only once"
COUNT_RULE = "Σ numel() of the different parameters with requires_grad"


class Shared(nn.Module):
    """A tied pair, a module under two names, a None, a buffer, a frozen parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(from_numpy(np.ones(2, dtype=np.float32)))
        self.first = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.BatchNorm1d(3))
        self.second = nn.Linear(3, 3, bias=False)
        self.second.weight = self.first[0].weight
        self.again = self.second
        self.register_module("nothing", None)
        self.register_parameter("none", None)
        self.register_buffer("seen", from_numpy(np.zeros(4, dtype=np.float32)))
        zeros = from_numpy(np.zeros(3, dtype=np.float32))
        self.fixed = nn.Parameter(zeros, requires_grad=False)


def _trees() -> list[tuple[str, nn.Module]]:
    """Modules to traverse, and what messages call them."""
    inner = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
    deep: nn.Module = nn.Linear(1, 1)
    for _ in range(4):
        deep = nn.ModuleDict({"inside": deep, "beside": nn.PReLU()})
    frozen = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
    frozen[0].weight.requires_grad_(False)
    tied = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    tied[1].weight = tied[0].weight
    twice = [nn.Linear(2, 2)] * 2
    equal = nn.Sequential(nn.LayerNorm(5), nn.LayerNorm(5))
    return [
        ("nn.Linear(2, 3)", nn.Linear(2, 3)),
        ("nn.ReLU()", nn.ReLU()),
        ("nn.Linear(2, 3, bias=False)", nn.Linear(2, 3, bias=False)),
        ("a Sequential in a Sequential", nn.Sequential(inner, nn.Linear(1, 1))),
        ("two Linear(3, 3) with one weight", tied),
        ("two Linear, the first weight frozen", frozen),
        ("nn.BatchNorm1d(3)", nn.BatchNorm1d(3)),
        ("nn.MultiheadAttention(4, 2)", nn.MultiheadAttention(4, 2)),
        ("one Linear(2, 2), twice in a Sequential", nn.Sequential(*twice)),
        ("two LayerNorm(5) with equal values", equal),
        ("a module with shared, frozen and missing parts", Shared()),
        ("a tree of five levels", deep),
    ]


def named(answer: Any) -> None:
    """05.2: names and parameters of a tree, by recursion."""
    answer = need_function(answer, "named")
    trees = _trees()
    forbidden = ("named_parameters", "parameters", "state_dict")
    with watched_methods(nn.Module, *forbidden) as used:
        got = [_pairs_of(answer, module, f"named({what})") for what, module in trees]
        again = [_pairs_of(answer, module, f"named({what})") for what, module in trees]
    refuse(used, "{}()", "a recursion, written by you")
    want = [_named(module) for _, module in trees]
    mistake = same_mistake(
        [_names(pairs) for pairs in got],
        [_names(pairs) for pairs in want],
        {
            MADE_ONCE: list(accumulate(_names(pairs) for pairs in want)),
            **{
                words: [_names(wrong(module, "")) for _, module in trees]
                for words, wrong in NAMED_MISTAKES.items()
            },
        },
    )
    for (what, _), pairs, right in zip(trees, got, want, strict=True):
        _compare_pairs(pairs, right, f"named({what})", mistake)
    for (what, _), pairs, right in zip(trees, again, want, strict=True):
        if _names(pairs) != _names(right):
            raise CheckFailed(
                "right the first time, another list the second time",
                called=f"named({what}), a second time",
                got=f"{len(pairs)} pairs",
                expected=f"{len(right)} pairs",
                rule="a function keeps nothing from one call to the next",
                mistake=MADE_ONCE,
            )


def _pairs_of(answer: Callable[..., Any], module: nn.Module, called: str) -> Pairs:
    """The answer's result as a list of pairs."""
    got = call(answer, module, called=called, rule=NAMED_RULE)
    if got is None:
        raise CheckFailed("returned None: is a return missing?", called=called)
    if isinstance(got, dict) or not hasattr(got, "__iter__"):
        raise CheckFailed(
            "expects a list of pairs (name, parameter)",
            called=called,
            got=kind_of(got),
        )
    pairs = list(got)
    for pair in pairs:
        good = isinstance(pair, (tuple, list)) and len(pair) == 2
        if not good or not isinstance(pair[0], str):
            raise CheckFailed(
                "an element is not a pair (name, parameter)",
                called=called,
                got=kind_of(pair),
                rule="extend the list by the child's pairs; append adds one element",
            )
    return [(pair[0], pair[1]) for pair in pairs]


def _compare_pairs(got: Pairs, want: Pairs, called: str, mistake: str) -> None:
    names, right = _names(got), _names(want)
    if names != right:
        other_order = sorted(names) == sorted(right)
        raise CheckFailed(
            "the right names in the wrong order"
            if other_order
            else "the names are not right",
            called=called,
            got=_around(names, right),
            expected=_around(right, names),
            rule=NAMED_RULE,
            mistake=mistake,
        )
    for (name, parameter), (_, theirs) in zip(got, want, strict=True):
        if parameter is not theirs:
            raise CheckFailed(
                f"{name} does not come with the parameter itself",
                called=called,
                got=kind_of(parameter),
                expected="the same object that the module holds",
                rule="changing a copy does not change the network",
            )


def _around(names: list[str], other: list[str]) -> str:
    """The names around the first difference."""
    same = 0
    while same < min(len(names), len(other)) and names[same] == other[same]:
        same += 1
    first = max(same - 1, 0)
    shown = ", ".join(repr(name) for name in names[first : first + 3])
    count = f"{len(names)} name{'' if len(names) == 1 else 's'}"
    return f"{count}: {'...' if first else ''}{shown or 'none'}"


def _names(pairs: Pairs) -> list[str]:
    return [name for name, _ in pairs]


def _named(module: nn.Module, prefix: str = "") -> Pairs:
    pairs = _own(module, prefix)
    for name, child in _children(module):
        pairs += _named(child, f"{prefix}{name}.")
    return pairs


def _own(module: nn.Module, prefix: str) -> Pairs:
    return [(prefix + n, p) for n, p in module._parameters.items() if p is not None]


def _children(module: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    return ((n, c) for n, c in module._modules.items() if c is not None)


def _no_prefix(module: nn.Module, prefix: str) -> Pairs:
    return [(name.rsplit(".", 1)[-1], p) for name, p in _named(module)]


def _no_dot(module: nn.Module, prefix: str) -> Pairs:
    return [(name.replace(".", ""), p) for name, p in _named(module)]


def _leading_dot(module: nn.Module, prefix: str) -> Pairs:
    return [(f".{name}", p) for name, p in _named(module)]


def _dot_in_front(module: nn.Module, prefix: str) -> Pairs:
    pairs = _own(module, prefix)
    for name, child in _children(module):
        pairs += _dot_in_front(child, f"{prefix}.{name}")
    return pairs


def _level_by_level(module: nn.Module, prefix: str) -> Pairs:
    pairs, queue = [], [("", module)]
    while queue:
        path, first = queue.pop(0)
        pairs += _own(first, path)
        queue += [(f"{path}{name}.", child) for name, child in _children(first)]
    return pairs


def _last_prefix(module: nn.Module, prefix: str) -> Pairs:
    return [(".".join(name.split(".")[-2:]), p) for name, p in _named(module)]


def _only_own(module: nn.Module, prefix: str) -> Pairs:
    return _own(module, "")


def _one_level(module: nn.Module, prefix: str) -> Pairs:
    pairs = _own(module, "")
    for name, child in _children(module):
        pairs += _own(child, f"{name}.")
    return pairs


def _leaves(module: nn.Module, prefix: str) -> Pairs:
    if not module._modules:
        return _own(module, prefix)
    kids = _children(module)
    return [pair for n, c in kids for pair in _leaves(c, f"{prefix}{n}.")]


def _children_first(module: nn.Module, prefix: str) -> Pairs:
    kids = _children(module)
    below = [pair for n, c in kids for pair in _children_first(c, f"{prefix}{n}.")]
    return below + _own(module, prefix)


def _once(module: nn.Module, prefix: str) -> Pairs:
    return list(module.named_parameters())


def _once_per_module(module: nn.Module, prefix: str) -> Pairs:
    pairs = _own(module, prefix)
    for name, child in module.named_children():
        pairs += _once_per_module(child, f"{prefix}{name}.")
    return pairs


def _trained(module: nn.Module, prefix: str) -> Pairs:
    return [(name, p) for name, p in _named(module) if p.requires_grad]


def _with_none(module: nn.Module, prefix: str) -> Pairs:
    pairs = [(prefix + name, p) for name, p in module._parameters.items()]
    for name, child in _children(module):
        pairs += _with_none(child, f"{prefix}{name}.")
    return pairs


def _with_buffers(module: nn.Module, prefix: str) -> Pairs:
    pairs = _own(module, prefix)
    pairs += [(prefix + name, b) for name, b in module._buffers.items()]
    for name, child in _children(module):
        pairs += _with_buffers(child, f"{prefix}{name}.")
    return pairs


NAMED_MISTAKES: dict[str, Callable[[nn.Module, str], Pairs]] = {
    "a name is the whole path: pass each child its prefix": _no_prefix,
    "each part of the path is followed by a dot": _no_dot,
    "the path does not begin with a dot": _leading_dot,
    "a dot follows each part, it does not precede it": _dot_in_front,
    "all below one child come before the next child": _level_by_level,
    "the parents' prefix is lost: prefix + name + dot": _last_prefix,
    "the children's parameters are missing": _only_own,
    "children have children, too: call named on each child": _one_level,
    "a module with children can have parameters of its own": _leaves,
    "own parameters come before those of the children": _children_first,
    "a parameter that is there twice is listed twice": _once,
    "named_children skips a module's second name; _modules has both": _once_per_module,
    "frozen parameters are parameters, too": _trained,
    "None means that there is no parameter": _with_none,
    "buffers are not parameters": _with_buffers,
}


def count(answer: Any) -> None:
    """05.4: the number of trainable elements."""
    answer = need_function(answer, "count")
    trees = _trees()
    with watched_methods(nn.Module, "named_parameters", "parameters") as used:
        before = _flags(trees)
        got = [_number_of(answer, module, f"count({what})") for what, module in trees]
        changed = _flags(trees) != before
        again = [_number_of(answer, module, f"count({what})") for what, module in trees]
    refuse(used, "{}()", "your own named, which lists shared parameters twice")
    if changed:
        raise CheckFailed(
            "requires_grad was changed",
            called="count(model)",
            rule="count must not change the model",
        )
    want = [_count(module) for _, module in trees]
    wrong = {
        words: [mistaken(module) for _, module in trees]
        for words, mistaken in COUNT_MISTAKES.items()
    }
    mistake = same_mistake(got, want, wrong)
    for (what, _), number, right in zip(trees, got, want, strict=True):
        if number != right:
            raise CheckFailed(
                "the count is not right",
                called=f"count({what})",
                got=str(number),
                expected=str(right),
                rule=COUNT_RULE,
                mistake=mistake,
            )
    if again != got:
        raise CheckFailed(
            "right the first time, another number the second time",
            called="count(model), twice",
            rule="a function keeps nothing from one call to the next",
        )


def _flags(trees: list[tuple[str, nn.Module]]) -> list[bool]:
    return [p.requires_grad for _, module in trees for p in _all_of(module)]


def _number_of(answer: Callable[..., Any], module: nn.Module, called: str) -> float:
    try:
        with with_helper("named", "05.2"):
            got = call(answer, module, called=called, rule=COUNT_RULE)
    except CheckFailed as failure:
        if "must match the size of tensor" in failure.what:
            failure.mistake = (
                "`in` and == compare tensors number by number: compare id(p)"
            )
        raise
    if hasattr(got, "item") and getattr(got, "shape", None) == ():
        got = got.item()
    if got is None:
        raise CheckFailed("returned None: is a return missing?", called=called)
    if not isinstance(got, (int, float, np.integer)) or isinstance(got, bool):
        raise CheckFailed(
            "expects a number", called=called, got=kind_of(got), rule=COUNT_RULE
        )
    return int(got) if got == int(got) else float(got)


def _count(module: nn.Module) -> int:
    different = {id(p): p for _, p in _named(module) if p.requires_grad}
    return sum(p.numel() for p in different.values())


def _total(parameters: Any) -> int:
    return sum(p.numel() for p in parameters)


def _all_of(module: nn.Module) -> list[Any]:
    return [p for _, p in _named(module)]


def _by_value(module: nn.Module) -> int:
    different = {
        (tuple(p.shape), p.detach().numpy().tobytes()): p
        for p in _all_of(module)
        if p.requires_grad
    }
    return _total(different.values())


COUNT_MISTAKES: dict[str, Callable[[nn.Module], int]] = {
    "shared parameters count once": lambda m: _total(
        p for p in _all_of(m) if p.requires_grad
    ),
    "frozen parameters do not count": lambda m: _total(
        {id(p): p for p in _all_of(m)}.values()
    ),
    "shared ones count once, frozen ones not at all": lambda m: _total(_all_of(m)),
    "count the numbers in the tensors, not the tensors": lambda m: len(
        {id(p) for p in _all_of(m) if p.requires_grad}
    ),
    "numel() is the product of all sizes; shape[0] is the first": lambda m: sum(
        {id(p): p.shape[0] for p in _all_of(m) if p.requires_grad}.values()
    ),
    "the sum goes over all parameters, not one of them (first)": lambda m: _total(
        [p for p in _all_of(m) if p.requires_grad][:1]
    ),
    "the sum goes over all parameters, not one of them (last)": lambda m: _total(
        [p for p in {id(p): p for p in _all_of(m)}.values() if p.requires_grad][-1:]
    ),
    "shared is the same tensor (`is`), not one with equal values": _by_value,
    "shared is the same tensor (`is`), not one of the same shape": lambda m: _total(
        {tuple(p.shape): p for p in _all_of(m) if p.requires_grad}.values()
    ),
    "a shared parameter still counts, once": lambda m: _total(
        p
        for p in _all_of(m)
        if p.requires_grad and sum(q is p for q in _all_of(m)) == 1
    ),
    "biases and other vectors count as well": lambda m: _total(
        {id(p): p for p in _all_of(m) if p.requires_grad and p.dim() > 1}.values()
    ),
    "buffers are not trained": lambda m: (
        _count(m) + sum(b.numel() for b in m.buffers())
    ),
    "the children's parameters are missing": lambda m: _total(
        p for _, p in _own(m, "") if p.requires_grad
    ),
    "only parameters that can change count: requires_grad is True": lambda m: _total(
        {id(p): p for p in _all_of(m) if not p.requires_grad}.values()
    ),
}
