"""Checks a subset of a data set with its own transform."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from edutorch.course.compare import compare, show
from edutorch.course.failure import CheckFailed
from edutorch.ops.create import tensor

from .modules import same_mistake
from .optimizer_steps import call_limited

__all__ = ["grade_part"]

ASK_RULE = "sample i of the part is sample indices[i] of the data set"
TRANSFORM_RULE = "(transform(x), y), or (x, y) where transform is None"
LAZY_RULE = "a sample is read when it is accessed, not before"
FALSE = "a transform may count as false, as an empty pipeline does: ask `is not None`"
ONE_FOR_X = "transform is given x alone, neither y nor the pair"


class _Numbered:
    """Samples ([i + 1, 10 i], i % 3), with a record of reads."""

    def __init__(self, count: int) -> None:
        self.samples = [_sample(i) for i in range(count)]
        self.reads: list[Any] = []

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, i: Any) -> tuple[Any, int]:
        self.reads.append(i)
        return self.samples[i]


def _sample(i: int) -> tuple[Any, int]:
    return tensor([i + 1.0, 10.0 * i]), i % 3


class _Double:
    """A transform that doubles x, records its arguments, and is falsy."""

    def __init__(self) -> None:
        self.given: list[Any] = []
        self.__name__ = "double"

    def __len__(self) -> int:  # as a pipeline has; a length of 0 makes it falsy
        return 0

    def __call__(self, x: Any) -> Any:
        self.given.append(x)
        return 2 * x if hasattr(x, "detach") else x


def grade_part(answer: Any, rng: np.random.Generator) -> None:
    """Request every sample of the answer's subsets.

    Raises:
        CheckFailed: a sample is another one, was read too early, or the end is missed.
    """
    _need_class(answer)
    cases = [(5, [4, 0, 2]), (6, [3, 3, 1, 5]), (4, [])]
    for _ in range(3):
        count = int(rng.integers(5, 12))
        cases.append((count, [int(i) for i in rng.integers(0, count, size=4)]))
    for count, indices in cases:
        for double in (None, _Double()):  # one for each subset, with its own record
            _Asked(answer, _Numbered(count), indices, double).grade()


def _without_self(failure: CheckFailed) -> str:
    """The missing attribute, if a method uses an argument of __init__ without self."""
    for name in ("dataset", "indices", "transform"):
        if f"name '{name}' is not defined" in failure.what:
            return f"keep it in __init__: self.{name} = {name}; then ask self.{name}"
    return ""


def _need_class(answer: Any) -> None:
    if isinstance(answer, type):
        return
    made = hasattr(answer, "__getitem__") or hasattr(answer, "__len__")
    raise CheckFailed(
        "expects the class itself: give check the name Part, without ( )"
        if made
        else "expects a class",
        got=f"{show(answer)}, a {type(answer).__name__}",
        expected="class Part(Dataset)",
    )


class _Asked:
    """One subset, made by the learner's class."""

    def __init__(
        self,
        answer: Callable[..., Any],
        data: _Numbered,
        indices: list[int],
        double: Any,
    ) -> None:
        self.answer, self.data = answer, data
        self.indices, self.double = indices, double
        name = "None" if double is None else "double"
        self.called = f"Part(dataset, {indices}, {name})"
        args = (data, list(indices), double)
        self.part = call_limited(answer, *args, called=self.called, rule=LAZY_RULE)
        if data.reads or (double is not None and double.given):
            raise CheckFailed(
                "the data set is read while the part is made",
                called=self.called,
                got=f"{len(data.reads)} samples were read",
                expected="none",
                rule=LAZY_RULE,
                mistake="__init__ keeps the three; the work is done in __getitem__",
            )

    def grade(self) -> None:
        """Check the length, every sample, the last one from the end, and the end."""
        self._check_length()
        places = list(range(len(self.indices)))
        got = [self._sample(i) for i in places]
        self._compare(got)
        self._check_harmless()
        self._check_anew(places[:1])
        if places:
            self._compare_one(self._sample(-1), -1)
        self._check_end()

    def _check_length(self) -> None:
        called = f"len({self.called})"
        try:
            got = call_limited(
                len, self.part, called=called, rule="a sample for each index"
            )
        except CheckFailed as failure:
            failure.mistake = _without_self(failure)
            raise
        want, count = len(self.indices), len(self.data)
        compare(
            got,
            want,
            called=called,
            rule="a sample for each index",
            wrong={"that is the length of the whole data set": count},
        )

    def _sample(self, i: int) -> tuple[Any, Any]:
        """Sample i of the subset, after checking that it is a pair."""
        called = f"{self.called}[{i}]"
        given = 0 if self.double is None else len(self.double.given)
        reads = len(self.data.reads)
        try:
            got = call_limited(
                lambda: self.part[i],
                called=called,
                rule=f"{ASK_RULE}; {TRANSFORM_RULE}",
            )
        except CheckFailed as failure:
            if "'NoneType' object is not callable" in failure.what:
                failure.mistake = "transform is None here: then x stays as it is"
            elif f"'{type(self.part).__name__}' object is not sub" in failure.what:
                failure.mistake = "a class that is indexed with [i] needs __getitem__"
            failure.mistake = failure.mistake or _without_self(failure)
            raise
        if len(self.data.reads) > reads + 1:
            raise CheckFailed(
                f"the data set was read {len(self.data.reads) - reads} times",
                called=called,
                expected="once",
                rule="x, y = self.dataset[self.indices[i]]",
                mistake="if reading is random, x and y must come from the same read",
            )
        if self.double is not None:
            self._check_given(self.double.given[given:], called)
        if not isinstance(got, (tuple, list)) or len(got) != 2:
            raise CheckFailed(
                "returned None: is a return missing?"
                if got is None
                else "a sample is a pair (x, y)",
                called=called,
                got=f"{show(got)}, a {type(got).__name__}",
                expected="(x, y)",
                rule=TRANSFORM_RULE,
            )
        return got[0], got[1]

    def _check_given(self, given: list[Any], called: str) -> None:
        if not given:
            raise CheckFailed(
                "transform was not called",
                called=called,
                rule=TRANSFORM_RULE,
                mistake="the transform was ignored, or an old result of it was kept"
                if self._ignored_always()
                else FALSE,
            )
        if len(given) > 1 or not hasattr(given[0], "detach"):
            raise CheckFailed(
                f"transform was called {len(given)} times"
                if len(given) > 1
                else "transform was given something else",
                called=called,
                got=f"it was given {', '.join(map(show, given))}",
                expected="x, once",
                rule=TRANSFORM_RULE,
                mistake=ONE_FOR_X,
            )

    def _ignored_always(self) -> bool:
        """Whether a truthy transform is ignored, too."""
        called: list[Any] = []

        def note(x: Any) -> Any:
            called.append(x)
            return x

        with suppress(Exception):
            self.answer(_Numbered(len(self.data)), list(self.indices), note)[0]
        return not called

    def _compare(self, got: list[tuple[Any, Any]]) -> None:
        try:
            for i, pair in enumerate(got):
                self._compare_one(pair, i)
        except CheckFailed as failure:
            failure.mistake = self._mistake(got) or failure.mistake
            raise

    def _compare_one(self, pair: tuple[Any, Any], i: int) -> None:
        x, y = self._right(self.indices[i])
        for value, want, name in ((pair[0], x, "x"), (pair[1], y, "y")):
            compare(
                value,
                want,
                called=f"{self.called}[{i}], its {name}",
                rule=f"{ASK_RULE}; {TRANSFORM_RULE}",
                wrong=self._known_mistakes(i) if name == "x" else {},
            )

    def _known_mistakes(self, i: int) -> dict[str, Any]:
        if self.double is None:
            return {}
        plain = _sample(self.indices[i])[0]
        return {
            "the result of transform was dropped: x = transform(x)": plain,
        }

    def _right(self, index: int) -> tuple[Any, int]:
        x, y = _sample(index)
        return (x if self.double is None else 2 * x), y

    def _mistake(self, got: list[tuple[Any, Any]]) -> str:
        """Which other samples these are, if one mistake explains all of them."""

        def listed(pairs: list[tuple[Any, Any]]) -> list[Any]:
            return [np.asarray(x.tolist()).tolist() for x, _ in pairs]

        places = range(len(got))
        wants = [self._right(i) for i in self.indices]
        other = {
            "indices were ignored: these are the first of the data set": list(places),
            "the indices were sorted": sorted(self.indices),
            "every sample is the same one": [self.indices[0]] * len(got),
            "each index is one too large": [
                (i + 1) % len(self.data) for i in self.indices
            ],
        }
        try:
            found = listed(got)
        except AttributeError:
            return ""
        wrong = {
            words: listed([self._right(i) for i in chosen])
            for words, chosen in other.items()
        }
        return same_mistake(found, listed(wants), wrong)

    def _check_anew(self, places: list[int]) -> None:
        """Check that a sample is read again: a transform may be random."""
        for i in places:
            before = len(self.data.reads)
            self._compare_one(self._sample(i), i)
            if len(self.data.reads) == before:
                raise CheckFailed(
                    "the second time the sample was not read again",
                    called=f"{self.called}[{i}], twice",
                    rule="a part keeps no samples: the data set has them",
                    mistake="keep nothing: a random transform must be called again",
                )

    def _check_end(self) -> None:
        """Check that a loop over the subset ends with an IndexError."""
        end = len(self.indices)
        called = f"{self.called}[{end}]"
        try:
            call_limited(lambda: self.part[end], called=called, rule=ASK_RULE)
        except CheckFailed as failure:
            if isinstance(failure.__cause__, IndexError):
                return
            raise
        raise CheckFailed(
            "there is a sample after the last",
            called=called,
            expected="IndexError, which ends a `for` loop",
            rule="a part has len(indices) samples",
            mistake="let the IndexError of indices[i] through",
        )

    def _check_harmless(self) -> None:
        """Check that the data set is unchanged."""
        for i, (x, _) in enumerate(self.data.samples):
            compare(
                x,
                _sample(i)[0],
                called=f"{self.called}; afterwards x of dataset[{i}]",
                rule="a part must not change the data set",
                tolerance=0.0,
            )
