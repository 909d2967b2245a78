"""The kernel in which submissions are graded.

    python -m edutorch.course.classroom.kernel -f CONNECTION

It runs a learner's cells as Jupyter's kernel does. A graded cell runs with the course's
own `check`, even if the learner has rebound that name or replaced functions of the
library; its reply tells how it ended.
"""

from __future__ import annotations

import ast
import sys
import threading
from typing import Any, Final

from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp

from edutorch import course

from ..random_cases import graded_with
from .originals import Originals

__all__ = ["GRADED", "VERDICT", "GradingKernel", "main"]

GRADED: Final = "edutorch_graded"  # in a request's metadata: the class's secret
CELL: Final = "<graded cell>"
VERDICT: Final = "edutorch_verdict"  # in the reply's content


class GradingKernel(IPythonKernel):
    """Runs graded cells without names that a learner has rebound."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._course = {name: getattr(course, name) for name in course.__all__}
        self._originals = Originals()

    async def do_execute(
        self, code: str, silent: bool, store_history: bool = True,
        user_expressions: Any = None, allow_stdin: bool = False, *,
        cell_meta: Any = None, cell_id: Any = None,
    ) -> Any:  # fmt: skip
        """Run a cell; a graded one is run in isolation."""
        if GRADED not in (cell_meta or {}):
            return await super().do_execute(
                code, silent, store_history, user_expressions, allow_stdin,
                cell_meta=cell_meta, cell_id=cell_id,
            )  # fmt: skip
        self._undo()
        kind, text = self._grade(code, cell_meta[GRADED])
        return {
            "status": "ok",
            "execution_count": self.execution_count,
            "user_expressions": {},
            "payload": [],
            VERDICT: [kind, text],
        }

    def _grade(self, code: str, secret: str) -> tuple[str, str]:
        """The type and message of a cell's exception, or "" and the cell's value."""
        names = {**self._shell_names(), **self._course}
        try:
            tree = ast.parse(code, CELL)
            with graded_with(secret):
                value = _run(tree, names)
            return "", "" if value is None else repr(value)
        except BaseException as error:  # noqa: BLE001  # its kind is the verdict
            return type(error).__name__, _message(error)

    def _shell_names(self) -> dict[str, Any]:
        shell: Any = self.shell
        return dict(shell.user_ns)

    def _undo(self) -> None:
        """Undo what a learner's cell has put between a check and the answer."""
        threading.setprofile(None)
        sys.setprofile(None)
        sys.settrace(None)
        self._originals.restore()


def _run(tree: ast.Module, names: dict[str, Any]) -> Any:
    """Run a cell and return the value of its last line, if that is an expression."""
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        exec(compile(tree, CELL, "exec"), names)  # noqa: S102  # a kernel does that
        return None
    lines = ast.Module(tree.body[:-1], [])
    exec(compile(lines, CELL, "exec"), names)  # noqa: S102  # ... and this, too
    return eval(compile(ast.Expression(last.value), CELL, "eval"), names)  # noqa: S307  # ...


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # noqa: BLE001  # a learner's exception, too, can fail
        return ""


def main() -> None:
    """Serve one submission."""
    sys.path.append("")  # a learner's own files, after all others
    IPKernelApp.launch_instance(kernel_class=GradingKernel)


if __name__ == "__main__":
    main()
