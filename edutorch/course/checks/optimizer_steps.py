"""Runs an answer's optimizer steps on parameters and compares with a rule.

A `Drill` says where the parameters begin and which gradients they get. What a rule, or
a mistake, makes of it is a list of arrays: each parameter after each step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from edutorch.course.answer_calls import record_calls, too_long
from edutorch.course.compare import call, compare, show
from edutorch.course.compare_functions import check_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.time_limits import TimeLimitExceeded, time_limit
from edutorch.ops.create import from_numpy
from edutorch.optim import __all__ as OPTIMIZERS

__all__ = [
    "Drill",
    "Follow",
    "call_limited",
    "follow",
    "grade_steps",
    "find_mistake",
    "tell_generator",
]

Array = npt.NDArray[Any]
# gradient, state of the parameter, settings -> what is subtracted
Rule = Callable[[Array, dict[str, Any], Mapping[str, Any]], Array]
Follow = Callable[["Drill"], list[Array]]

NOTHING = "nothing changed: p = p - ... only gives the name p to a new tensor"
ONCE = "a generator can be looped over only once: params = list(params) comes first"


@dataclass(frozen=True)
class Drill:
    """Parameters, their gradients at each step, and the settings.

    Attributes:
        values: where each parameter begins.
        gradients: for each step, the gradient of each parameter, or None.
        settings: the keyword arguments of the function.
        generator: parameters are handed over as a generator.
        restart: the number of the step before which `state` is emptied; 0 for never.
        reused: gradients are written into the same tensors at each step.
        lrs: the learning rate of each step, where it changes.
    """

    values: Sequence[Array]
    gradients: Sequence[Sequence[Array | None]]
    settings: Mapping[str, Any] = field(default_factory=dict)
    generator: bool = False
    restart: int = 0
    reused: bool = False
    lrs: Sequence[float] = ()

    def at(self, step: int) -> Mapping[str, Any]:
        """The settings of a step."""
        return {**self.settings, "lr": self.lrs[step]} if self.lrs else self.settings

    def called(
        self, name: str, step: int, stateful: bool, value: Array, i: int = 0
    ) -> str:
        """The call of a step as code, with one parameter: before it, and its grads."""
        given = "generator" if self.generator else "params"
        middle = ", state" if stateful else ""
        words = "".join(f", {k}={v}" for k, v in self.at(step).items())
        which = f", step {step + 1}" if len(self.gradients) > 1 else ""
        begin = self.restart if step >= self.restart else 0
        begin = begin if stateful else step  # a state depends on earlier gradients
        grads = [gradients[i] for gradients in self.gradients[begin : step + 1]]
        shown = ["None" if g is None else show(from_numpy(g)) for g in grads]
        facts = f"params[{i}] = {show(from_numpy(value))}, its grad {shown[-1]}"
        if shown[:-1]:
            facts += f", at the steps before {', '.join(shown[:-1])}"
        return f"{name}({given}{middle}{words}){which}; {facts}"


def follow(
    drill: Drill, rule: Rule, *, shared: bool = False, zeros: bool = False,
    still: bool = False, numbered: bool = False,
) -> list[Array]:  # fmt: skip
    """Each parameter after each step of a rule.

    Args:
        drill: the steps to take.
        rule: the rule.
        shared: what is kept is kept once for all parameters.
        zeros: no gradient counts as a gradient of zeros ...
        still: ... for what is kept, but the parameter does not move.
        numbered: what is kept goes by a number that counts gradients only.
    """
    values = [v.astype(np.float64) for v in drill.values]
    kept: list[dict[str, Any]] = [{} for _ in values]
    after = []
    for step, gradients in enumerate(drill.gradients):
        if drill.restart and step == drill.restart:
            kept = [{} for _ in values]
        count = 0
        for i, g in enumerate(gradients):
            if g is not None or zeros:
                given = np.zeros(values[i].shape) if g is None else g.astype(np.float64)
                key = 0 if shared else count if numbered else i
                with np.errstate(all="ignore"):
                    change = rule(given, kept[key], drill.at(step))
                values[i] = values[i] - (0 if g is None and still else change)
                count += 1
            after.append(values[i])
    return after


def grade_steps(
    answer: Callable[..., Any],
    name: str,
    drills: Iterable[Drill],
    *,
    right: Rule,
    mistakes: Mapping[str, Follow],
    rule: str,
    stateful: bool = True,
) -> None:
    """Run the answer on all test cases.

    Args:
        answer: the learner's function.
        name: what to call it.
        drills: the first is gone through twice, to find what is kept elsewhere.
        right: the rule.
        mistakes: what each known mistake makes of a drill.
        rule: the rule in words.
        stateful: it takes a dictionary `state` after the parameters.

    Raises:
        CheckFailed: a parameter is not where it should be, or something else changed.
    """
    seen: list[tuple[Drill, list[Array]]] = []
    failed: CheckFailed | None = None
    for number, drill in enumerate(drills):
        want = follow(drill, right)
        run = _Run(answer, name, drill, rule, stateful)
        with record_calls() as recorded:
            failure = run.compared(want)
        check_functions(recorded, OPTIMIZERS, name, rule)
        if number == 0 and failure is None:
            again = _Run(answer, name, drill, rule, stateful).compared(want)
            if again is not None:
                raise _kept_elsewhere(again)
        if failure is not None and run.broke:
            if failed is None:
                raise failure
            break  # the first failure is more informative
        failed = failed or failure
        seen.append((drill, run.after))
    if failed is not None:
        known = {NOTHING: _stay, **mistakes}
        failed.mistake = find_mistake(seen, right, known) or failed.mistake
        raise failed


def find_mistake(
    seen: Sequence[tuple[Drill, list[Array]]], right: Rule, known: Mapping[str, Follow]
) -> str:
    """The only mistake that explains all results, on at least two cases."""
    found = []
    for words, mistaken in known.items():
        told = 0
        for drill, got in seen:
            try:
                would = mistaken(drill)
            except (ValueError, KeyError):  # it would have raised, since sizes differ
                continue
            if not _near(got, would):
                break
            told += not _near(would, follow(drill, right))
        else:
            if told >= 2:
                found.append(words)
    return found[0] if len(found) == 1 else ""


def call_limited(
    answer: Callable[..., Any],
    *args: Any,
    called: str,
    rule: str,
    seconds: float = 5.0,
    **kwargs: Any,
) -> Any:
    """Run the learner's code with a time limit.

    Raises:
        CheckFailed: the call failed or did not end; the message says where.
    """
    try:
        with time_limit(seconds):
            return call(answer, *args, called=called, rule=rule, **kwargs)
    except TimeLimitExceeded as error:
        raise too_long(error, seconds, called) from None


def tell_generator(failure: CheckFailed) -> CheckFailed:
    """The failure of an answer that is right for a list but not for a generator."""
    return CheckFailed(
        "right for a list of parameters, but not for a generator",
        called=failure.called,
        got=failure.got,
        expected=failure.expected,
        rule=failure.rule,
        mistake=ONCE,
    )


class _Run:
    """One run of a test case.

    Attributes:
        after: each parameter after each step.
        broke: whether something other than a value was wrong.
    """

    def __init__(
        self,
        answer: Callable[..., Any],
        name: str,
        drill: Drill,
        rule: str,
        stateful: bool,
    ) -> None:
        self.answer, self.name, self.drill, self.rule = answer, name, drill, rule
        self.stateful = stateful
        self.after: list[Array] = []
        self.broke = False
        self.params = [from_numpy(v.copy()).requires_grad_() for v in drill.values]
        self.state: dict[Any, Any] = {}

    def compared(self, want: list[Array]) -> CheckFailed | None:
        """Run all steps and return the first thing that is wrong."""
        failure = None
        try:
            for step in range(len(self.drill.gradients)):
                before = [np.array(p.detach().numpy()) for p in self.params]
                self._step(step)
                for i, p in enumerate(self.params):
                    self.after.append(np.array(p.detach().numpy(), dtype=np.float64))
                    right = want[len(self.after) - 1]
                    called = self._called(step, before[i], i)
                    failure = failure or self._difference(i, p, right, called)
        except CheckFailed as error:
            self.broke = True
            if not self.drill.generator or "generator" in error.what:
                return failure or error
            return failure or self._with_list(want, error)
        if failure and self.drill.generator:
            return self._with_list(want, failure)
        return failure

    def _called(self, step: int, value: Array, i: int = 0) -> str:
        return self.drill.called(self.name, step, self.stateful, value, i)

    def _with_list(self, want: list[Array], failure: CheckFailed) -> CheckFailed:
        plain = replace(self.drill, generator=False)
        run = _Run(self.answer, self.name, plain, self.rule, self.stateful)
        return failure if run.compared(want) else tell_generator(failure)

    def _difference(
        self, i: int, p: Any, right: Array, called: str
    ) -> CheckFailed | None:
        try:
            compare(
                p,
                right.astype(p.detach().numpy().dtype),
                called=f"{called}; then params[{i}]",
                rule=self.rule,
                tolerance=_tolerance(right),
            )
        except CheckFailed as failure:
            return failure
        return None

    def _step(self, step: int) -> None:
        """Set the gradients, call the answer, and check what must not change."""
        drill, params = self.drill, self.params
        if drill.restart and step == drill.restart:
            self.state = {}
        for p, g in zip(params, drill.gradients[step], strict=True):
            if g is not None and drill.reused and p.grad is not None:
                p.grad.copy_(from_numpy(g))
            else:
                p.grad = None if g is None else from_numpy(g.copy())
        called = self._called(step, np.array(params[0].detach().numpy()))
        before = [(p.detach(), p.grad) for p in params]
        handed = (p for p in params) if drill.generator else list(params)
        args = (handed, self.state) if self.stateful else (handed,)
        try:
            call_limited(
                self.answer, *args, called=called, rule=self.rule, **drill.at(step)
            )
        except CheckFailed as failure:
            raise self._explained(failure, step) from failure.__cause__
        for i, (p, (memory, grad)) in enumerate(zip(params, before, strict=True)):
            self._unharmed(i, p, memory, grad, drill.gradients[step][i], called)

    def _explained(self, failure: CheckFailed, step: int) -> CheckFailed:
        if "leaf" in failure.what:
            failure.mistake = "update inside `with torch.no_grad():`"
        elif "generator" in failure.what:
            failure.mistake = ONCE
        empty = [i for i, g in enumerate(self.drill.gradients[step]) if g is None]
        if "NoneType" in failure.what and empty:
            failure.mistake = f"params[{empty[0]}].grad is None: skip that parameter"
        if "Boolean value" in failure.what:
            failure.mistake = (
                "a tensor is neither true nor false: if p.grad is not None"
            )
        return failure

    def _unharmed(
        self, i: int, p: Any, memory: Any, grad: Any, given: Array | None, called: str
    ) -> None:
        """Check that the parameter is still a leaf with its own memory and gradient."""
        name = f"params[{i}]"
        if not p.requires_grad:
            raise CheckFailed(
                f"{name} has lost its requires_grad: it would never train again",
                called=called,
                rule="with torch.no_grad(): updates without recording",
            )
        kept = (p.grad is None) == (given is None)
        if not kept or (given is not None and not _near([p.grad.numpy()], [given])):
            still = "None" if given is None else show(from_numpy(given))
            raise CheckFailed(
                "a gradient was changed",
                called=called,
                got=f"{name}.grad is {show(p.grad)}",
                expected=f"still {still}",
                mistake="gradients must not change: other code may use them, too",
            )
        if not _near([memory.numpy()], [p.detach().numpy()]):
            raise CheckFailed(
                f"{name} got new memory instead of new numbers",
                called=called,
                rule="in place: p -= ..., so that whatever shares its memory sees it",
            )


def _kept_elsewhere(failure: CheckFailed) -> CheckFailed:
    failure.what = "right once, but not when started again"
    failure.mistake = (
        "something is kept outside state: a new state must start from nothing"
    )
    return failure


def _stay(drill: Drill) -> list[Array]:
    return [v for _ in drill.gradients for v in drill.values]


def _tolerance(right: Array) -> float:
    return 1e-5 if np.isfinite(right).all() else 1e-6


def _near(got: Sequence[Array], would: Sequence[Array]) -> bool:
    return len(got) == len(would) and all(
        g.shape == w.shape and np.allclose(g, w, rtol=1e-5, atol=1e-6, equal_nan=True)
        for g, w in zip(got, would, strict=True)
    )
