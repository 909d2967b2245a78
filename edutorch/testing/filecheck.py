"""Checks of text in order, like LLVM's FileCheck."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["FileCheck"]


class FileCheck:
    """Checks of required and forbidden texts, in order.

    Example:
        >>> import edutorch as torch
        >>> text = "forward backward step"
        >>> torch.testing.FileCheck().check("forward").check_not("x").check(
        ...     "step"
        ... ).run(text)
        >>> try:
        ...     torch.testing.FileCheck().check("nothing").run(text)
        ... except RuntimeError as error:
        ...     print(str(error).splitlines()[0])
        Expected to find "nothing" but did not find it
    """

    def __init__(self) -> None:
        self._checks: list[tuple[str, str, int]] = []

    def _add(self, kind: str, text: str, count: int = 1) -> FileCheck:
        self._checks.append((kind, text, count))
        return self

    def check(self, test_string: str) -> FileCheck:
        """The text must come after what was found before."""
        return self._add("CHECK", test_string)

    def check_not(self, test_string: str) -> FileCheck:
        """The text must not come between what is found before and after."""
        return self._add("CHECK-NOT", test_string)

    def check_same(self, test_string: str) -> FileCheck:
        """The text must follow on the same line."""
        return self._add("CHECK-SAME", test_string)

    def check_next(self, test_string: str) -> FileCheck:
        """The text must come on the next line."""
        return self._add("CHECK-NEXT", test_string)

    def check_count(
        self, test_string: str, count: int, exactly: bool = False
    ) -> FileCheck:
        """The text must come `count` times; with `exactly`, not once more."""
        self._add("CHECK-COUNT", test_string, count)
        return self._add("CHECK-NOT", test_string) if exactly else self

    def check_dag(self, test_string: str) -> FileCheck:
        """The texts of neighbouring checks of this kind may come in any order."""
        return self._add("CHECK-DAG", test_string)

    def check_regex(self, test_string: str) -> FileCheck:
        """A text that a regular expression matches must come."""
        return self._add("CHECK-REGEX", test_string)

    def check_source_highlighted(self, test_string: str) -> FileCheck:
        """The text must come with a line of `~` below it."""
        return self._add("CHECK-SOURCE-HIGHLIGHTED", test_string)

    def run(self, *text: Any) -> None:
        """Check a text; with two, the first one holds the checks as comments.

        Raises:
            RuntimeError: with the first check that fails.
        """
        checks = self._checks if len(text) == 1 else _from_comments(str(text[0]))
        _Search(str(text[-1])).run(checks)


KINDS = re.compile(
    r"^\s*#\s*(CHECK(?:-NOT|-SAME|-NEXT|-DAG|-REGEX|-SOURCE-HIGHLIGHTED)?)"
    r"(?:-COUNT-(\d+))?(-EXACTLY)?: (.*)$"
)


def _from_comments(source: str) -> list[tuple[str, str, int]]:
    """The checks that a text's comments spell, as `# CHECK: text`."""
    found = []
    for line in source.splitlines():
        match = KINDS.match(line)
        if match is None:
            continue
        kind, count, exactly, text = match.groups()
        found.append(("CHECK-COUNT", text, int(count)) if count else (kind, text, 1))
        if exactly:
            found.append(("CHECK-NOT", text, 1))
    return found


class _Search:
    """A text, and how far it was read."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.unwanted: list[str] = []

    def run(self, checks: list[tuple[str, str, int]]) -> None:
        """Make all checks in turn."""
        group = 0  # where the texts begin that may come in any order
        reached = 0
        before = ""
        for kind, wanted, count in checks:
            if kind == "CHECK-NOT":
                self.unwanted.append(wanted)
                continue
            if kind == "CHECK-DAG":
                if before != kind:
                    group = reached = self.at
                begin, end = self.find(kind, wanted, group)
                reached = max(reached, end)
                self.refuse(group, begin)
                self.at = reached
            else:
                for _ in range(count):
                    start = self.at
                    begin, self.at = self.find(self.named(kind, count), wanted, start)
                    self.between(kind, wanted, start, begin)
                    self.refuse(start, begin)
            self.unwanted, before = [], kind
        self.refuse(self.at, len(self.text))

    @staticmethod
    def named(kind: str, count: int) -> str:
        """The check's name in messages."""
        return f"CHECK-COUNT-{count}" if kind == "CHECK-COUNT" else kind

    def find(self, kind: str, wanted: str, start: int) -> tuple[int, int]:
        """The start and end of a text.

        Raises:
            RuntimeError: if it is not there.
        """
        pattern = wanted if kind == "CHECK-REGEX" else re.escape(wanted)
        found = re.compile(pattern).search(self.text, start)
        if found is None:
            what = "regex " if kind == "CHECK-REGEX" else ""
            raise RuntimeError(
                f'Expected to find {what}"{wanted}" but did not find it\n'
                f"Searched string:\n{self.text[start:]}\nFrom {kind}: {wanted}\n"
            )
        if kind == "CHECK-SOURCE-HIGHLIGHTED":
            self.underlined(wanted, found.end())
        return found.span()

    def underlined(self, wanted: str, end: int) -> None:
        """Refuse a text without a line of `~` below it.

        Raises:
            RuntimeError: if there is none.
        """
        below = self.text[end:].split("\n")[1:2]
        if not below or "~" not in below[0]:
            raise RuntimeError(
                f'Expected to find "~" but did not find it\nFrom '
                f"CHECK-SOURCE-HIGHLIGHTED: {wanted}\n"
            )

    def between(self, kind: str, wanted: str, start: int, begin: int) -> None:
        """Refuse line ends that the check does not allow.

        Raises:
            RuntimeError: if there is one.
        """
        lines = self.text.count("\n", start, begin)
        allowed = {"CHECK-SAME": 0, "CHECK-NEXT": 1}.get(kind, lines)
        if lines > allowed:
            raise RuntimeError(self.found("\\n", kind, wanted))
        if lines < allowed:
            raise RuntimeError(
                f'Expected to find "\\n" but did not find it\nFrom {kind}: {wanted}\n'
            )

    def refuse(self, start: int, end: int) -> None:
        """Refuse what must not come between two places.

        Raises:
            RuntimeError: if it comes.
        """
        for unwanted in self.unwanted:
            if unwanted in self.text[start:end]:
                raise RuntimeError(self.found(unwanted, "CHECK-NOT", unwanted))

    def found(self, what: str, kind: str, wanted: str) -> str:
        """The message for what must not be there."""
        return (
            f'Expected to not find "{what}" but found it\n{self.text}\n'
            f"From {kind}: {wanted}\n"
        )
