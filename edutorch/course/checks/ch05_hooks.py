"""Checks of chapter 5 for hooks: what they see, and that they can be removed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edutorch import nn
from edutorch.autograd.modes import no_grad
from edutorch.course.compare import call, compare, need_function, need_tuple
from edutorch.course.failure import CheckFailed
from edutorch.ops.create import from_numpy

from .modules import kind_of, need_result, numbers, with_causes

__all__ = ["watch"]

WATCH_RULE = "seen[name] is a copy, without history, of the module's last output"


@with_causes(("no attribute 'name'", "named_modules() gives each module with its name"))
def watch(answer: Any) -> None:
    """05.5: forward hooks that collect outputs and can be removed."""
    answer = need_function(answer, "watch")
    model = nn.Sequential(
        nn.Linear(3, 4), nn.Tanh(), nn.Sequential(nn.Linear(4, 4), nn.Tanh())
    )
    x = from_numpy(np.random.default_rng(55).standard_normal((5, 3)).astype("f4"))
    others: list[int] = []
    model[1].register_forward_hook(lambda *_: others.append(1))
    plain = numbers(model(x))
    seen, remove = _watching(answer, model, nn.Tanh, "watch(model, nn.Tanh)")
    called = "seen, remove = watch(model, nn.Tanh); y = model(x)"
    y = call(model, x, called=called, rule=WATCH_RULE)
    need_result(y, called=called, rule=WATCH_RULE)
    compare(y, plain, called=f"{called}; y",
            mistake="a hook that returns nothing changes nothing")  # fmt: skip
    first = _values(model, x, nn.Tanh)
    inputs = {"this is the input, not the output": _values(model, x, nn.Tanh, "input")}
    _check_seen(seen, first, called, inputs)
    _check_copies(seen, y, called)
    call(model, x * 2, called="model(2 * x)")
    second = _values(model, x * 2, nn.Tanh)
    stays = {"the last output, not the first": first}
    _check_seen(seen, second, f"{called}; model(2 * x)", stays)
    _check_stranger(seen, second, x)
    _check_kinds(answer, model, x)
    _check_in_place(answer)
    _check_removed(seen, remove, model, x, others)


def _watching(
    answer: Callable[..., Any], model: nn.Module, kind: Any, called: str
) -> tuple[dict[str, Any], Callable[[], None]]:
    got = call(answer, model, kind, called=called, rule="return seen, remove")
    seen, remove = need_tuple(got, "seen, remove")
    if not isinstance(seen, dict) or not callable(remove):
        raise CheckFailed(
            "expects a dictionary and a function",
            called=called,
            got=f"{kind_of(seen)}, {kind_of(remove)}",
            expected="seen, remove",
            rule="return the function remove itself, without ( )",
        )
    return seen, remove


def _values(
    model: nn.Module, x: Any, kind: Any, what: str = "output"
) -> dict[str, Any]:
    """Outputs or inputs of the modules of a kind, computed without hooks."""
    found: dict[str, Any] = {}

    def run(module: Any, prefix: str, value: Any) -> Any:
        given = value
        if isinstance(module, nn.Sequential):
            for name, child in module._modules.items():
                value = run(child, f"{prefix}{name}.", value)
        else:
            value = module.forward(value)
        if isinstance(module, kind):
            found[prefix[:-1]] = numbers(value if what == "output" else given)
        return value

    run(model, "", x)
    return found


def _check_seen(
    seen: dict[str, Any],
    want: dict[str, Any],
    called: str,
    wrong: dict[str, dict[str, Any]] | None = None,
) -> None:
    if set(seen) != set(want):
        raise CheckFailed(
            "the names are not those of the modules",
            called=f"{called}; sorted(seen)",
            got=str(sorted(map(str, seen))),
            expected=str(sorted(want)),
            rule="the names of named_modules(), of the modules of this kind",
            mistake=_names_mistake(list(seen), list(want)),
        )
    for name, value in seen.items():
        if not hasattr(value, "detach") and not isinstance(value, np.ndarray):
            several = isinstance(value, (list, tuple))
            raise CheckFailed(
                "the last output only, not a list of them"
                if several
                else "no output was stored",
                called=f"{called}; seen[{name!r}]",
                got=kind_of(value),
                expected="a tensor",
            )
    fits = [
        words
        for words, values in (wrong or {}).items()
        if all(_close(seen[name], values[name]) for name in want)
    ]
    for name, right in want.items():
        if fits and not _close(seen[name], right):
            raise CheckFailed(
                "the value is not right",
                called=f"{called}; seen[{name!r}]",
                rule=WATCH_RULE,
                mistake=fits[0],
            )
        compare(seen[name], right, called=f"{called}; seen[{name!r}]", rule=WATCH_RULE)


def _names_mistake(found: list[Any], want: list[str]) -> str:
    """Which names these are, if some are missing."""
    if len(want) > 1 and found == want[-1:]:
        return "every hook has the loop's last name: make it in a function"
    if found and found == [name for name in want if "." not in name]:
        return "children have children, too: named_modules() finds them all"
    return ""


def _close(value: Any, right: Any) -> bool:
    found = numbers(value) if hasattr(value, "detach") else np.asarray(value)
    return found.shape == right.shape and np.allclose(found, right, atol=1e-5)


def _check_copies(seen: dict[str, Any], y: Any, called: str) -> None:
    for name, value in seen.items():
        if not hasattr(value, "detach"):
            raise CheckFailed(
                "the numbers are right, but they are not in a tensor",
                called=f"{called}; seen[{name!r}]",
                got=kind_of(value),
                expected="a tensor",
            )
        if value.requires_grad:
            raise CheckFailed(
                "it keeps the whole graph alive",
                called=f"{called}; seen[{name!r}].requires_grad",
                got="True",
                expected="False",
                rule="detach() gives the same numbers without their history",
            )
    if not y.requires_grad:
        raise CheckFailed(
            "the model's own result lost its history",
            called=f"{called}; y.requires_grad",
            got="False",
            expected="True",
            rule="a hook that returns something replaces the output",
            mistake="the hook returns nothing, and calls detach(), not detach_()",
        )


def _check_kinds(answer: Callable[..., Any], model: nn.Module, x: Any) -> None:
    for kind in (nn.Linear, (nn.Linear, nn.Tanh), nn.Sequential, nn.Conv2d):
        names = getattr(kind, "__name__", "(nn.Linear, nn.Tanh)")
        called = f"watch(model, {names})"
        before = _count_hooks(model)
        seen, remove = _watching(answer, model, kind, called)
        call(model, x, called=f"{called}; model(x)")
        _check_seen(seen, _values(model, x, kind), f"{called}; model(x)")
        call(remove, called=f"{called}; model(x); remove()")
        _check_none_left(model, before, f"{called}; model(x); remove()")


def _count_hooks(model: nn.Module) -> int:
    return sum(len(m._forward_hooks) for m in model.modules())


def _check_none_left(model: nn.Module, before: int, called: str) -> None:
    left = _count_hooks(model) - before
    if left > 0:
        raise CheckFailed(
            "it still watches",
            called=called,
            got=f"{left} hook{'s' * (left > 1)} more than before watch",
            expected="none",
            rule="remove() calls handle.remove() for every hook",
            mistake="a handle removes one hook: keep them all in a list",
        )


def _check_stranger(seen: dict[str, Any], kept: dict[str, Any], x: Any) -> None:
    """Check that another model is unaffected."""
    called = "watch(model, nn.Tanh), then another_model(x)"
    call(nn.Sequential(nn.Linear(3, 2), nn.Tanh()), x, called=called)
    if set(seen) != set(kept) or any(not _close(seen[n], kept[n]) for n in kept):
        raise CheckFailed(
            "it watches other models, too",
            called=called,
            rule="each of the model's modules of this kind gets a hook of its own",
        )


def _check_in_place(answer: Callable[..., Any]) -> None:
    model = nn.Sequential(nn.Identity(), nn.Linear(2, 2), nn.ReLU(inplace=True))
    x = from_numpy(np.array([[1.0, -2.0], [-3.0, 1.0]], dtype=np.float32))
    with no_grad():
        model[1].bias.fill_(-9.0)  # so that the ReLU gives 0
    called = "watch(model, nn.Linear) before an nn.ReLU(inplace=True)"
    seen, remove = _watching(answer, model, nn.Linear, called)
    want = numbers(model[1].forward(x))
    call(model, x, called=called)
    if not np.allclose(numbers(seen["1"]), want, rtol=1e-5, atol=1e-6):
        raise CheckFailed(
            "the outputs in `seen` changed afterwards",
            called=f"{called}; seen['1']",
            rule=WATCH_RULE,
            mistake="detach() shares the memory; clone() makes a copy",
        )
    call(remove, called="remove()")


def _check_removed(
    seen: dict[str, Any], remove: Any, model: nn.Module, x: Any, others: list[int]
) -> None:
    called = "remove(); model(3 * x)"
    before = {name: numbers(value) for name, value in seen.items()}
    for _ in range(2):
        call(remove, called="remove()")
    others.clear()
    call(model, x * 3, called=called)
    after = {name: numbers(value) for name, value in seen.items()}
    changed = any(not np.array_equal(after[name], before[name]) for name in after)
    _check_none_left(model, 1, called)
    if changed:
        raise CheckFailed(
            "it still watches",
            called=called,
            rule="remove() calls handle.remove() for every hook",
        )
    if not others:
        raise CheckFailed(
            "a hook that is not yours was removed",
            called=called,
            rule="remove your own handles; do not clear _forward_hooks",
        )
