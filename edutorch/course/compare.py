"""Calls an answer, compares its result with the right one, and names the mistake."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .answer_calls import run_answer, too_long
from .exception_causes import cause_of, why_no_tensor
from .failure import NOT_WRITTEN, CheckFailed
from .time_limits import TimeLimitExceeded, shortest_limit, time_limit

__all__ = [
    "call",
    "compare",
    "expect",
    "expect_error",
    "need_function",
    "need_tensor",
    "need_tuple",
    "need_bool",
    "kind_of_value",
    "numbers_of",
    "same_numbers",
    "show",
    "show_expected",
    "call_text",
    "EMPTY",
]

Wrong = Mapping[str, Any]
EMPTY = "your turn"  # the message of the empty answer
SECONDS = 20.0  # for one call of an answer, where its check sets no shorter limit
WIDE = 72  # characters of a value that is shown


def need_function(answer: Any, name: str) -> Callable[..., Any]:
    """Return the answer; raise unless it is callable.

    Raises:
        CheckFailed: it is not callable, most often because it was called already.
    """
    if not callable(answer):
        form = "without quotes" if isinstance(answer, str) else "without ( )"
        raise CheckFailed(
            f"expects the function itself: give check the name {name}, {form}",
            got=_show_with_type(answer),
        )
    return answer


def need_tuple(answer: Any, names: str) -> tuple[Any, ...]:
    """Return the answer as a tuple; raise unless its length is that of the names."""
    count = len(names.split(","))
    if not isinstance(answer, (tuple, list)) or len(answer) != count:
        raise CheckFailed(
            f"expects {count} things: ({names})", got=_show_with_type(answer)
        )
    return tuple(answer)


def expect(
    answer: Callable[..., Any],
    *args: Any,
    want: Any,
    rule: str,
    wrong: Wrong | None = None,
    tolerance: float = 1e-5,
    name: str = "",
    **kwargs: Any,
) -> Any:
    """Call `answer(*args, **kwargs)` and compare its value with `want`.

    Args:
        answer: the learner's function.
        *args: its positional arguments ...
        **kwargs: ... and its keyword arguments.
        want: the right value: a number, tuple, array or tensor.
        rule: the rule that `want` follows, shown when the answer differs.
        wrong: what each known mistake would have given.
        tolerance: relative and absolute distance that still counts as equal.
        name: what to call the answer in the message.

    Raises:
        CheckFailed: the call failed, changed its arguments, or gave another value.
    """
    called = call_text(answer, args, kwargs, name)
    before = [_copy(value) for value in args]
    got = call(answer, *args, called=called, rule=rule, want=want, **kwargs)
    compare(got, want, rule=rule, called=called, wrong=wrong, tolerance=tolerance)
    for value, old in zip(args, before, strict=True):
        if old is not None and not _same(_array(value), old, 0.0):
            raise CheckFailed(
                "the value is right, but an argument was changed in place",
                called=called,
                got=f"afterwards {show(value)}",
                expected=f"still {show(old)}",
                rule="a function must not change its arguments",
            )
    return got


def call(
    answer: Callable[..., Any],
    *args: Any,
    called: str = "",
    rule: str = "",
    want: Any = None,
    **kwargs: Any,
) -> Any:
    """Run the learner's code; an exception is reported with the call that raised it.

    A call that takes longer than `SECONDS` is ended.
    """
    called = called or call_text(answer, args, kwargs)
    try:
        if shortest_limit() <= SECONDS:
            return run_answer(answer, args, kwargs)
        return _in_time(answer, args, kwargs, called)
    except CheckFailed as failure:
        failure.called = failure.called or called
        raise
    except Exception as error:
        if is_stub(error):
            raise CheckFailed(NOT_WRITTEN, called=called) from error
        kind, text = type(error).__name__, str(error).split("\n")[0]
        expected = "" if want is None else show_expected(want)
        raise CheckFailed(
            f"raised {kind}: {text}", called=called, expected=expected, rule=rule
        ) from error


def _in_time(
    answer: Callable[..., Any], args: Any, kwargs: Mapping[str, Any], called: str
) -> Any:
    try:
        with time_limit(SECONDS):
            return run_answer(answer, args, kwargs)
    except TimeLimitExceeded as error:
        raise too_long(error, SECONDS, called) from None


def need_bool(got: Any, *, called: str, expected: bool, rule: str) -> bool:
    """Return the answer as a bool; raise unless it is one."""
    value = _array(got)
    if value is None or value.shape != () or value.dtype.kind != "b":
        raise CheckFailed(
            _missing_return(got) or "expects True or False",
            called=called,
            got=_show_with_type(got),
            expected=str(expected),
            rule=rule,
            mistake=""
            if value is None
            else "comparing gives True or False: ==, <, is, in; a difference does not",
        )
    return bool(value)


def need_tensor(got: Any, *, called: str, rule: str) -> None:
    """Raise unless the answer is a tensor, rather than numbers."""
    if not hasattr(got, "detach"):
        raise CheckFailed(
            "the numbers are right, but they are not in a tensor",
            called=called,
            got=_show_with_type(got),
            expected="a tensor",
            rule=rule,
            mistake=why_no_tensor(got),
        )


def expect_error(
    answer: Callable[..., Any],
    *args: Any,
    errors: tuple[type[Exception], ...],
    rule: str,
) -> None:
    """Raise unless the call raises one of `errors`."""
    called = call_text(answer, args, {})
    names = " or ".join(error.__name__ for error in errors)
    try:
        got = run_answer(answer, args, {})
    except errors:
        return
    except Exception as error:
        if is_stub(error):
            raise CheckFailed(NOT_WRITTEN, called=called) from error
        kind = type(error).__name__
        raise CheckFailed(
            "raised another exception",
            called=called,
            got=f"{kind}: {error}",
            expected=names,
            rule=rule,
            mistake=_other_error(error, names),
        ) from error
    raise CheckFailed(
        "did not raise",
        called=called,
        got=show(got),
        expected=names,
        rule=rule,
        mistake=f"raise the exception, do not print or return it: raise {names}(...)"
        if got is None or isinstance(got, (type, Exception, str))
        else "",
    )


def _other_error(error: Exception, names: str) -> str:
    """Why an exception differs from the expected one."""
    if isinstance(error, AssertionError):
        return f"assert raises AssertionError: write raise {names.split(maxsplit=1)[0]}"
    kind = type(error).__name__
    return cause_of(error) or f"code that catches {names} does not catch {kind}"


def compare(
    got: Any,
    want: Any,
    *,
    rule: str = "",
    called: str = "",
    wrong: Wrong | None = None,
    mistake: str = "",
    tolerance: float = 1e-5,
) -> None:
    """Raise `CheckFailed` unless `got` equals `want` in shape and in every value.

    The mistake is `mistake` where it is no other.
    """
    try:
        _compare(got, want, rule, called, wrong, tolerance)
    except CheckFailed as failure:
        failure.mistake = failure.mistake or mistake
        failure.culprit = getattr(got, "_tensor_id", 0)
        raise


def _compare(
    got: Any, want: Any, rule: str, called: str, wrong: Wrong | None, tolerance: float
) -> None:
    if want is None or isinstance(want, str):
        _compare_text(got, want, rule, called)
        return
    right = _array(want)
    value = _array(got)
    if value is None or right is None:
        raise CheckFailed(
            _missing_return(got)
            or "returned something that is not a number or a tensor",
            called=called,
            got=_show_with_type(got),
            expected=show_expected(want),
            rule=rule,
            mistake=_unlike_numbers(got),
        )
    mistake = _known_mistake(value, right, wrong or {}, tolerance)
    if value.shape != right.shape:
        listed = isinstance(got, (list, tuple)) and value.ndim == right.ndim == 1
        empty = isinstance(want, (list, tuple)) and not want
        raise CheckFailed(
            "the length is not right" if listed else "the shape is not right",
            called=called,
            rule=rule,
            mistake=mistake,
            got=show(got) if listed or empty else _shape_text(got, value.shape),
            expected=show(want) if listed or empty else f"shape {right.shape}",
        )
    if not _same(value, right, tolerance):
        index = _first_difference(value, right, tolerance)
        raise CheckFailed(
            "the value is not right",
            called=called,
            rule=rule,
            mistake=mistake or _not_finite(value[index], right[index]),
            index=index,
            got=_number(value[index]),
            expected=_number(right[index]),
        )


def _compare_text(got: Any, want: str | None, rule: str, called: str) -> None:
    """Compare a name or None."""
    if isinstance(got, type(want)) and got == want:
        return
    text = got is None or isinstance(got, str)
    raise CheckFailed(
        "the value is not right" if text else "returned something that is not a text",
        called=called,
        got=repr(got) if text else _show_with_type(got),
        expected=repr(want),
        rule=rule,
        mistake=""
        if text or isinstance(got, (tuple, list))
        else f"return the name, a string, not the object{_name(got)}",
    )


def _name(value: Any) -> str:
    """The attribute that stores a value's name."""
    return ": .name" if isinstance(getattr(value, "name", None), str) else ""


def call_text(
    answer: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], name: str = ""
) -> str:
    """The call as code, with short values in full and long ones by their shape."""
    parts = [show(value) for value in args]
    parts += [f"{key}={show(value)}" for key, value in kwargs.items()]
    name = name or getattr(answer, "__name__", type(answer).__name__)
    return f"{name}({', '.join(parts)})"


def show(value: Any) -> str:
    """A value in one short line."""
    if hasattr(value, "detach") or isinstance(value, np.ndarray):
        array = np.asarray(_array(value))
        kind = "array" if isinstance(value, np.ndarray) else "tensor"
        text = f"{kind}({_short_numbers(array)})" if array.size <= 12 else ""
        return text if 0 < len(text) <= WIDE else f"<{kind} of shape {array.shape}>"
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    if isinstance(value, float):
        return _number(value)
    if hasattr(value, "named_parameters"):
        return type(value).__name__
    text = " ".join(repr(value).split())
    return text if len(text) <= WIDE else text[: WIDE - 3] + "..."


def show_expected(value: Any) -> str:
    """A right value in one short line, with arrays written as tensors."""
    return show(value).replace("array", "tensor", 1)


def kind_of_value(value: Any) -> str:
    """A short description of a value: "of shape (2, 3)", or its text."""
    return f"of shape {tuple(value.shape)}" if hasattr(value, "shape") else show(value)


def numbers_of(value: Any) -> npt.NDArray[Any] | None:
    """The elements of a value as an array; None if it has none."""
    return _array(value)


def same_numbers(a: Any, b: Any, tolerance: float) -> bool:
    """Whether two values have equal shapes and elements, up to a tolerance."""
    right = _array(b)
    if right is None:
        return a is b or (isinstance(a, type(b)) and bool(np.all(a == b)))
    return _same(_array(a), right, tolerance)


def is_stub(error: Exception) -> bool:
    """Whether an answer is not written yet: its cell raises this itself."""
    return isinstance(error, NotImplementedError) and str(error) == EMPTY


def _show_with_type(value: Any) -> str:
    """A value of the wrong type, with its type."""
    kind = "" if value is None else f", a {type(value).__name__}"
    return f"{show(value)}{kind}"


def _missing_return(got: Any) -> str:
    return "returned None: is a return missing?" if got is None else ""


def _unlike_numbers(got: Any) -> str:
    if hasattr(got, "__next__"):
        return "a generator is not a list: list(...) or tuple(...) runs it"
    if isinstance(got, (dict, set)):
        kind = "dictionary" if isinstance(got, dict) else "set"
        return f"a {kind} is not a tuple: return a, b"
    return "a text is not a number: no quotes, no str(...)" if type(got) is str else ""


def _not_finite(got: Any, right: Any) -> str:
    if np.isfinite(got) or not np.isfinite(right):
        return ""
    return f"{got} comes of a division by 0, of an overflow, or of what did so before"


def _short_numbers(array: npt.NDArray[Any]) -> str:
    if array.dtype.kind != "f":
        return str(array.tolist())
    short = np.array([float(f"{value:.4g}") for value in array.flat])
    return str(short.reshape(array.shape).tolist())


def _array(value: Any) -> npt.NDArray[Any] | None:
    """The elements of an answer; None if it has none."""
    if hasattr(value, "detach"):
        return np.asarray(value.detach()._host_array())
    if isinstance(value, (list, tuple)):
        value = [_array(v) if hasattr(v, "detach") else v for v in value]
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        return None
    return array if array.dtype.kind in "biufc" or array.size == 0 else None


def _copy(value: Any) -> npt.NDArray[Any] | None:
    if hasattr(value, "detach") or isinstance(value, np.ndarray):
        return np.array(_array(value))
    return None


def _same(a: npt.NDArray[Any] | None, b: npt.NDArray[Any], tolerance: float) -> bool:
    if a is None or a.shape != b.shape:
        return False
    return bool(np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True))


def _known_mistake(
    got: npt.NDArray[Any], right: npt.NDArray[Any], wrong: Wrong, tolerance: float
) -> str:
    """The first known mistake that gives this answer and differs from the right one."""
    for name, value in wrong.items():
        array = _array(value)
        if array is None or _same(array, right, tolerance):
            continue
        if _same(got, array, tolerance):
            return name
    return ""


def _shape_text(got: Any, shape: tuple[int, ...]) -> str:
    """The shape of an answer, and that it is several values where it is a tuple."""
    several = f"a tuple of {len(got)}, " if type(got) is tuple else ""
    return f"{several}shape {shape}"


def _first_difference(
    got: npt.NDArray[Any], right: npt.NDArray[Any], tolerance: float
) -> tuple[int, ...]:
    close = np.isclose(got, right, rtol=tolerance, atol=tolerance, equal_nan=True)
    flat = int(np.argmin(close.reshape(-1)))
    return tuple(int(i) for i in np.unravel_index(flat, right.shape))


def _number(value: Any) -> str:
    if np.asarray(value).dtype.kind != "f":
        return str(value)
    return f"{float(value) + 0.0:.6g}"  # no -0
