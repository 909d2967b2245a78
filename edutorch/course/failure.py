"""The exception of a failed check, with its message."""

from __future__ import annotations

import html
import traceback
from typing import Any

from ..errors import shown_file

__all__ = ["NOT_WRITTEN", "CheckFailed"]

NOT_WRITTEN = "not written yet"  # `what` of an empty answer


class CheckFailed(AssertionError):  # noqa: N818  # a verdict
    """The answer is wrong; the message says where it differs and why.

    It is an `AssertionError`, so pytest and nbgrader count it as a failure. In a
    notebook it shows its own few lines instead of a traceback through the checks.

    The message of a learner's first answer (`first`) leaves out the rule, which often
    is the solution in other words, unless there is nothing else to go by.

    Args:
        what: the fault, in one sentence.
        called: the call that was made, written as code.
        index: where the answer first differs.
        got: the learner's value there.
        expected: the right value there.
        rule: the rule that the right value follows.
        mistake: the known mistake that gives exactly this wrong answer.
    """

    def __init__(
        self,
        what: str,
        *,
        called: str = "",
        index: tuple[int, ...] | None = None,
        got: str = "",
        expected: str = "",
        rule: str = "",
        mistake: str = "",
    ) -> None:
        super().__init__(what)
        self.what = what
        self.called = called
        self.index = index
        self.got = got
        self.expected = expected
        self.rule = rule
        self.mistake = mistake
        self.exercise = ""
        self.title = ""
        self.culprit = 0  # the id of the wrong tensor
        self.made = ""  # by which op, and where
        self.first = False

    @property
    def withholds_rule(self) -> bool:
        """Whether the message leaves out the rule."""
        return bool(self.first and self.rule and (self.expected or self.mistake))

    def rows(self) -> list[tuple[str, str]]:
        """The known facts in reading order, each with a label."""
        index = "" if not self.index else str(list(self.index))
        rows = [
            ("called", self.called),
            ("index", index),
            ("got", self.got),
            ("expected", self.expected),
            ("rule", "" if self.withholds_rule else self.rule),
            ("mistake?", self.mistake),
            ("made by", self.made),
        ]
        return [(label, text) for label, text in rows if text]

    def __str__(self) -> str:
        head = f"{self.exercise} {self.title}: " if self.exercise else ""
        lines = [f"{head}{self.what}"]
        lines += [f"  {label:<9} {text}" for label, text in self.rows()]
        if self.exercise:
            later = "; a second try also shows the rule" if self.withholds_rule else ""
            lines.append(f'  hint("{self.exercise}") helps, and costs nothing{later}')
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><th style='text-align:left'>{html.escape(label)}</th>"
            f"<td style='text-align:left'><code>{html.escape(text)}</code></td></tr>"
            for label, text in self.rows()
        )
        head = html.escape(f"{self.exercise} {self.title}: {self.what}")
        return f"<p><b>✗ {head}</b></p><table>{cells}</table>"

    def _render_traceback_(self) -> list[str]:
        """The message, which IPython shows in place of the traceback."""
        lines = [f"✗ {self}"]
        if self.__cause__ is not None:
            lines += learner_lines(self.__cause__)
        return lines


def learner_lines(error: BaseException) -> list[str]:
    """The learner's last two frames of `error` below the checks, as text."""
    stack: list[Any] = list(traceback.extract_tb(error.__traceback__))
    here = [i for i, frame in enumerate(stack) if frame.filename == _CALLER]
    own = stack[here[-1] + 1 :] if here else stack
    own = [frame for frame in own if not frame.filename.startswith(_CHECKS)]
    learners = [frame for frame in own if not frame.filename.startswith(_PACKAGE)]
    own = learners[-2:] or own[:2]
    if not own:
        return []
    shown = [
        traceback.FrameSummary(shown_file(f.filename), f.lineno, f.name, line=f.line)
        for f in own
    ]
    return ["", "where it happened:", *traceback.format_list(shown)]


_PACKAGE = __file__.removesuffix("course/failure.py")
_CALLER = __file__.replace("failure.py", "compare.py")
_CHECKS = __file__.replace("failure.py", "checks")
