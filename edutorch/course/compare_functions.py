"""Grades a function by comparing it with the right one, on shown and drawn cases.

Each exercise is checked for the usual faults of answers: changing the arguments,
returning one of them, depending on an earlier call, hanging, returning a NumPy array
for a tensor, and doing what the statement forbids. A mistake is named only if the
answer equals it on at least two cases that distinguish it from the right one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from .answer_calls import RecordedCalls, record_calls, too_long
from .argument_checks import check_alias, check_unchanged
from .common_mistakes import relation
from .compare import (
    call,
    call_text,
    compare,
    need_function,
    need_tensor,
    numbers_of,
    same_numbers,
    show,
    show_expected,
)
from .exception_causes import OF_SIZES, cause_of, why_dtype
from .failure import CheckFailed
from .lint import why_changed
from .output_limit import suppress_output
from .random_cases import Draw, draws
from .time_limits import TimeLimitExceeded, time_limit

__all__ = ["Case", "Mistake", "compare_functions"]

Function = Callable[..., Any]
Mistake = Function | tuple[Function, ...]
ROUNDS: Final = 8  # cases that are drawn
ONE_SIZE: Final = (
    "that runs for the sizes of the example only: read sizes from x.shape and len(x)"
)
CHECKS: Final = f"{__package__}.checks"
HURRY: Final = 20  # divides the time limits after an answer was too slow
SEPARATE: Final = 2  # cases that must distinguish a mistake from the right answer


@dataclass(frozen=True)
class Case:
    """Arguments of one call, by position and by name."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = field(default_factory=dict)


def compare_functions(
    answer: Any,
    name: str,
    *,
    right: Function,
    shown: Sequence[tuple[Any, ...] | Case] = (),
    fresh: Callable[[Draw], tuple[Any, ...] | Case] | None = None,
    rule: str = "",
    mistakes: Mapping[str, Mistake] | None = None,
    forbidden: Sequence[str] = (),
    required: Sequence[str] = (),
    returns: str = "any",
    dtypes: Sequence[str] = ("float32",),
    tolerance: float = 1e-5,
    seconds: float = 5.0,
    rounds: int = ROUNDS,
) -> None:
    """Compare a learner's function with the right one.

    Args:
        answer: the learner's function.
        name: its name in the statement.
        right: returns the right value for the same arguments, without changing them.
        shown: arguments of the statement's example and of edge cases, tried in this
            order.
        fresh: draws arguments that were not shown.
        rule: the rule that right values follow.
        mistakes: for each mistake that learners make, a function that makes it, or a
            tuple of functions that make it in different ways.
        forbidden: functions of the library that the statement forbids.
        required: functions of which one must be called.
        returns: "tensor" to refuse NumPy arrays and numbers; "integers" to refuse
            floats.
        dtypes: of drawn tensors, in turn.
        tolerance: relative and absolute, within which numbers are equal.
        seconds: for one call.
        rounds: the number of cases drawn.

    Raises:
        CheckFailed: the answer is not right; the message says where and why.

    Example:
        >>> right = lambda x: x**2
        >>> compare_functions(lambda x: x * x, "square", right=right, shown=((3,),))
    """
    answer = need_function(answer, name)
    if answer is right and answer.__module__.startswith(CHECKS):
        raise _copied_answer(name, answer.__name__, rule)
    cases = [_case(given) for given in shown]
    if fresh is not None:
        cases += [_case(fresh(draw)) for draw in draws(rounds, dtypes)]
    grading = _Grading(answer, right, cases, mistakes or {}, rule, tolerance, seconds)
    for i, case in enumerate(cases):
        # first, so that the time of lazy imports is not counted as the answer's
        want = right(*_copied(case.args), **case.kwargs)
        try:
            with record_calls(right) as recorded:
                got = grading.value(case, want)
        finally:  # an error raised in a forbidden call is not the learner's to fix
            check_functions(recorded, forbidden, name, rule)
        grading.compare(case, got, want, returns)
        if i == 0:
            _check_required(recorded, required, name, rule)
            grading.check_second_call(case, want)


class _Grading:
    """The comparison of an answer with the right function."""

    def __init__(
        self, answer: Function, right: Function, cases: Sequence[Case],
        mistakes: Mapping[str, Mistake], rule: str, tolerance: float, seconds: float,
    ) -> None:  # fmt: skip
        self.answer, self.right, self.cases = answer, right, cases
        self.mistakes, self.rule = mistakes, rule
        self.tolerance, self.seconds = tolerance, seconds

    def value(self, case: Case, want: Any) -> Any:
        """The answer's result, after checking that its arguments are unchanged."""
        given, called = _copied(case.args), self.called(case)
        try:
            with time_limit(self.seconds):
                got = call(
                    self.answer, *given, called=called, rule=self.rule, want=want,
                    **case.kwargs,
                )  # fmt: skip
        except TimeLimitExceeded as error:
            seconds, self.seconds = self.seconds, self.seconds / HURRY
            raise too_long(error, seconds, called, mistake=self.mistake()) from None
        except CheckFailed as failure:
            failure.mistake = (
                failure.mistake
                or self.mistake(raised=True)
                or self._one_size(case, failure)
            )
            raise
        try:
            check_unchanged(given, case.args, called)
        except CheckFailed as failure:
            if not any(isinstance(value, (list, np.ndarray)) for value in given):
                failure.mistake = why_changed(self.answer) or failure.mistake
            raise
        try:
            check_alias(got, given, self.right(*given, **case.kwargs), called)
        except CheckFailed as failure:
            failure.mistake = self.mistake() or failure.mistake
            raise
        return got

    def compare(self, case: Case, got: Any, want: Any, returns: str) -> None:
        """Raise `CheckFailed` unless `got` is right; the mistake is named if known."""
        called = self.called(case)
        try:
            compare(got, want, rule=self.rule, called=called, tolerance=self.tolerance)
        except CheckFailed as failure:
            failure.mistake = self.mistake(failure.mistake)
            raise
        if returns == "integers":
            _check_integers(got, called, self.rule)
        if returns == "tensor":
            need_tensor(got, called=called, rule=self.rule)
        if returns == "tensor" and got.dtype != want.dtype:
            raise CheckFailed(
                "the numbers are right, their dtype is not",
                called=called,
                got=str(got.dtype),
                expected=str(want.dtype),
                rule="a result has the dtype that the statement says, or its inputs'",
                mistake=why_dtype(got, want),
            )

    def check_second_call(self, case: Case, want: Any) -> None:
        """Check that a second equal call gives the same result."""
        got = self.value(case, want)
        if not same_numbers(got, want, self.tolerance):
            raise CheckFailed(
                "the second call returns a different value",
                called=self.called(case),
                got=show(got),
                expected=show_expected(want),
                rule="a function keeps nothing between two calls",
                mistake="something outside the function is changed, or a default list",
            )

    def mistake(self, otherwise: str = "", raised: bool = False) -> str:
        """The mistake that gives the answer's results in every case; "" if unsure.

        Cases that timed out are left out. Cases in which the answer raised are left out
        if no mistake raises the same exception, unless the exception is to be
        explained. Known mistakes of the exercise come first, then `otherwise`, and then
        those that can be made in every exercise.
        """
        values = self._outcomes()
        rights = [self._outcome(self.right, case) for case in self.cases]
        ended = [i for i, value in enumerate(values) if not isinstance(value, type)]
        in_time = [
            i for i, value in enumerate(values) if value is not TimeLimitExceeded
        ]
        found = self._found(values, rights, in_time)
        if not (found or raised) and len(ended) < len(in_time):
            found = self._found(values, rights, ended)
        if found or otherwise:
            return found[0] if len(found) == 1 else otherwise
        if len(ended) < (len(in_time) if raised else self._separate()):
            return ""
        return relation(
            [self.cases[i].args for i in ended],
            [values[i] for i in ended],
            [rights[i] for i in ended],
            tolerance=self.tolerance,
        )

    def _separate(self) -> int:
        """The number of cases that must distinguish a mistake from the right answer."""
        return min(SEPARATE, len(self.cases))

    def _found(
        self, values: list[Any], rights: list[Any], places: list[int]
    ) -> list[str]:
        """The known mistakes that explain the answer's values in these cases."""
        cases = [(self.cases[i], values[i], rights[i]) for i in places]
        return [
            name
            for name, made in self.mistakes.items()
            if any(
                self._explains(one, cases)
                for one in (made if isinstance(made, tuple) else (made,))
            )
        ]

    def _explains(self, made: Function, cases: list[tuple[Case, Any, Any]]) -> bool:
        telling = 0
        for case, value, right in cases:
            mistaken = self._outcome(made, case)
            if not _same(value, mistaken, self.tolerance):
                return False
            telling += not _same(mistaken, right, self.tolerance)
        return telling >= self._separate()

    def _one_size(self, case: Case, failure: CheckFailed) -> str:
        """Whether the answer raises as soon as sizes differ from the example's."""
        first = _sizes(self.cases[0])
        if failure.__cause__ is None:
            return ""
        if cause_of(failure.__cause__) not in ("", *OF_SIZES):
            return ""
        if _sizes(case) == first:
            return ""
        for other, value in zip(self.cases, self._outcomes(), strict=True):
            raised = isinstance(value, type)
            if raised is (_sizes(other) == first):
                return ""
        return ONE_SIZE

    def _outcomes(self) -> list[Any]:
        """The answer's result in every case; after a time-out, limits are shorter."""
        values: list[Any] = []
        seconds = self.seconds
        for case in self.cases:
            values.append(self._outcome(self.answer, case, seconds))
            if values[-1] is TimeLimitExceeded:
                seconds = self.seconds / HURRY
        return values

    def _outcome(self, function: Function, case: Case, seconds: float = 0) -> Any:
        """The result of a function, or the type of the exception it raises."""
        try:
            with suppress_output(), time_limit(seconds or self.seconds):
                return function(*_copied(case.args), **case.kwargs)
        except (Exception, TimeLimitExceeded) as error:  # noqa: BLE001  # it is an outcome
            return type(error)

    def called(self, case: Case) -> str:
        """The call, as code."""
        return call_text(self.answer, case.args, case.kwargs)


def _sizes(case: Case) -> list[tuple[int, ...]]:
    """The shapes of the arguments that have one."""
    return [tuple(value.shape) for value in case.args if hasattr(value, "shape")]


def _case(given: tuple[Any, ...] | Case) -> Case:
    return given if isinstance(given, Case) else Case(given)


def _copied(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Copies of the arguments, so that changes do not reach the next call.

    A module that is part of another argument is part of that one's copy.
    """
    copies: dict[int, Any] = {}
    return tuple(_copy(value, copies) for value in args)


def _copy(value: Any, copies: dict[int, Any]) -> Any:
    if hasattr(value, "detach"):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, (list, dict, np.ndarray)) or hasattr(value, "named_modules"):
        return copy.deepcopy(value, copies)
    if type(value) is tuple:
        return tuple(_copy(part, copies) for part in value)
    return value


def _same(a: Any, b: Any, tolerance: float) -> bool:
    if isinstance(a, type) or isinstance(b, type):
        return a is b
    return same_numbers(a, b, tolerance)


def check_functions(
    recorded: RecordedCalls, forbidden: Sequence[str], name: str, rule: str
) -> None:
    """Raise if an answer calls the function that its exercise is about.

    Raises:
        CheckFailed: one of the forbidden functions was called.
    """
    if recorded.copies:
        raise _copied_answer(name, recorded.copies, rule)
    called = recorded.any_of(forbidden)
    if called:
        line, found = recorded.lines[called], called.strip("_")
        raise CheckFailed(
            f"{name} {'calls' if line else 'is'} {found}, which this exercise forbids",
            got=f"{found}, in {line} of the answer" if line else found,
            expected="the steps of the computation, written out by you",
            rule=rule,
            mistake=f"{found} does what you are to write",
        )


def _copied_answer(name: str, right: str, rule: str) -> CheckFailed:
    return CheckFailed(
        f"{name} calls {right}, with which the check compares it",
        got=f"{right}, from edutorch.course",
        expected="the steps of the computation, written out by you",
        rule=rule,
        mistake="the right answer is not to be called, but to be found",
    )


def _check_integers(got: Any, called: str, rule: str) -> None:
    numbers = numbers_of(got)
    if numbers is None or numbers.dtype.kind != "f" or not numbers.size:
        return
    raise CheckFailed(
        "the numbers are right, but they are not integers",
        called=called,
        got=show(got),
        expected="integers",
        rule=rule,
        mistake="torch.zeros and torch.empty make floats: dtype=torch.int64"
        if hasattr(got, "detach")
        else "/ gives a float even where nothing is left over: // does not; and what "
        "begins as 0.0 stays a float",
    )


def _check_required(
    recorded: RecordedCalls, required: Sequence[str], name: str, rule: str
) -> None:
    if required and not recorded.any_of(required):
        raise CheckFailed(
            f"the values are right, but {name} does not call {' or '.join(required)}",
            got=f"calls of {', '.join(recorded.lines) or 'nothing'}",
            expected=f"a call of {' or '.join(required)}",
            rule=rule,
        )
