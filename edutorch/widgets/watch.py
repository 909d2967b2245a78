"""Views for one cell (`%%watch`), or for a script, on a page (`watch_script`).

%load_ext edutorch

%%watch graph gradient
loss = train(model)

$ python -m edutorch watch train.py --epochs 3
"""

from __future__ import annotations

import argparse
import ast
import runpy
import sys
import threading
import traceback
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ..callers import is_library
from .error_card import error_card_of
from .live import live
from .notebook import current_shell
from .page_server import PageServer
from .run_monitor import RunMonitor
from .saved_views import KINDS, save
from .track import reuse
from .view import View

__all__ = ["VIEWS", "open_views", "watch_cell", "watch_script"]

# Views without arguments: a TensorCard needs a tensor, an ErrorCard an error.
VIEWS = tuple(kind for kind in KINDS if kind not in ("tensor", "error"))
EVERY = "--every-step"
USUAL = ("run", "graph", "gradient", "memory")


def open_views(names: Sequence[str] = (), every_step: bool = False) -> list[View]:
    """Open new views, which watch from now on.

    Args:
        names: keys of `VIEWS`; none for the usual four.
        every_step: watch every training step; see `View.every_step`.

    Raises:
        ValueError: for an unknown name.

    Example:
        >>> views = open_views(["graph", "memory"])
        >>> [view.kind for view in views]
        ['graph', 'memory']
        >>> for view in views:
        ...     view.close()
    """
    for name in names:
        if name not in VIEWS:
            raise ValueError(
                f"no view is called {name!r}; choose from {', '.join(VIEWS)}"
            )
    makers: dict[str, Any] = dict(KINDS)  # their constructors differ
    views: list[View] = [makers[name]() for name in dict.fromkeys(names or USUAL)]
    return [view.every_step() for view in views] if every_step else views


@contextmanager
def _watching(views: list[View]) -> Iterator[None]:
    """A context after which the views are frozen and the run has its final status."""
    monitors = [view for view in views if isinstance(view, RunMonitor)]
    try:
        yield
    except BaseException as error:
        for monitor in monitors:
            monitor.end_by(error)
        raise
    finally:
        for monitor in monitors:
            monitor.end()
        for view in views:
            view.freeze()


# ---- one cell


def watch_cell(line: str, cell: str) -> None:
    """Run a cell with views open: `%%watch [--every-step] [NAMES]`.

    The views are above what the cell prints, and keep what they show when it ends.

    Args:
        line: names of views, in any order; none for the usual four. With
            --every-step they watch all training steps, however short.
        cell: the rest of the cell.

    Raises:
        ValueError: for an unknown name; in IPython its UsageError, in one line.
    """
    shell = current_shell()
    try:
        words = line.replace(",", " ").split()
        names = [word for word in words if word != EVERY]
        views = open_views(names, every_step=EVERY in words)
    except ValueError as error:
        usage = getattr(sys.modules.get("IPython.core.error"), "UsageError", ValueError)
        raise usage(str(error)) from None
    for view in views:
        view._ipython_display_()
        if isinstance(view, RunMonitor):
            reuse(view)  # a loop tracked in the cell is this run
    with _watching(views):
        _run_in_notebook(shell, cell)


def _run_in_notebook(shell: Any, cell: str) -> None:
    """Run code like a cell: the last expression is displayed, errors are raised."""
    source = shell.transform_cell(cell)
    name = shell.compile.cache(source, shell.execution_count, raw_code=cell)
    tree = ast.parse(source, name)
    last = None
    end = tree.body[-1] if tree.body else None
    if isinstance(end, ast.Expr):
        last = ast.Expression(end.value)
        tree.body.pop()
    exec(shell.compile(tree, name, "exec"), shell.user_ns)  # noqa: S102 (the user's)
    if last is not None:
        code = shell.compile(last, name, "eval")
        value = eval(code, shell.user_ns)  # noqa: S307 (the user's own cell)
        if not cell.rstrip().endswith(";"):  # no output, as in IPython
            shell.displayhook(value)


# ---- a script


def watch_script(arguments: Sequence[str]) -> int:
    """Run a script and show views of it on a local page.

    Args:
        arguments: of `python -m edutorch watch`; `--help` lists them.

    Returns:
        The exit status: the script's.
    """
    options = _parser().parse_args(arguments)
    try:
        names = options.views.replace(",", " ").split()
        views = open_views(names, options.every_step)
    except ValueError as error:
        _print_status(str(error))
        return 2
    with PageServer(f"{options.script} - edutorch", options.port) as server:
        server.add(live.widget)
        for view in views:
            server.add(view)
            if isinstance(view, RunMonitor):
                reuse(view)
        _print_status(f"views at {server.address}")
        if not options.no_browser:
            webbrowser.open(server.address)
        status = _run_script(options, views, server)
        if options.save:
            _print_status(f"saved {save(options.save, *views)}")
        server.wait_until_sent()
        if not options.no_wait:
            _wait_for_reader(status)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m edutorch watch",
        description="Run a script and show views of it on a page of this machine.",
        epilog=f"Views: {', '.join(VIEWS)}.",
    )
    add = parser.add_argument
    add("--views", default="", metavar="NAMES", help=f"default: {','.join(USUAL)}")
    add(EVERY, action="store_true", help="watch all training steps, also short ones")
    add("--port", type=int, default=0, help="default: any that is free")
    add("--save", metavar="FILE", help="write the views to a file at the end (.edu)")
    add("--no-browser", action="store_true", help="only print the address")
    add("--no-wait", action="store_true", help="end with the script; the page stays")
    add("-m", dest="module", action="store_true", help="SCRIPT is a module's name")
    add("script", metavar="SCRIPT", help="what to run")
    add("rest", nargs=argparse.REMAINDER, metavar="...", help="its arguments")
    return parser


def _run_script(
    options: argparse.Namespace, views: list[View], server: PageServer
) -> int:
    """Run the script as Python itself would; return its exit status."""
    sys.argv[:] = [options.script, *options.rest]
    sys.path.insert(0, _folder(options))
    run = (
        partial(runpy.run_module, alter_sys=True) if options.module else runpy.run_path
    )
    try:
        _run(lambda: run(options.script, run_name="__main__"), views)
    except SystemExit as end:
        return _status(end.code)
    except KeyboardInterrupt:
        _print_status("interrupted")
        return 130
    except Exception as error:  # noqa: BLE001 (whatever it is, it is the script's)
        error.__traceback__ = _script_frames(error.__traceback__)
        traceback.print_exception(error)
        card = error_card_of(error)
        if card is not None:
            server.add(card)
        return 1
    return 0


def _folder(options: argparse.Namespace) -> str:
    """The folder in which the script finds its own modules."""
    here = Path.cwd() if options.module else Path(options.script).resolve().parent
    return str(here)


def _run(script: Callable[[], dict[str, Any]], views: list[View]) -> dict[str, Any]:
    """Run the script and return its variables, which the views still need."""
    with _watching(views):
        return script()  # the result stays alive until the block has ended


def _status(code: Any) -> int:
    if code is None or isinstance(code, int):
        return code or 0
    print(code, file=sys.stderr)
    return 1


def _script_frames(trace: Any) -> Any:
    """A traceback without the frames that started the script; None if none remain."""
    while trace is not None:
        code = trace.tb_frame.f_code
        if (
            not is_library(code)
            and code.co_filename != runpy.__file__
            and (not code.co_filename.startswith("<frozen"))
        ):
            return trace
        trace = trace.tb_next
    return None


def _wait_for_reader(status: int) -> None:
    how = "ended" if status == 0 else f"ended with status {status}"
    print(
        f"watch: the script {how}; Ctrl-C closes the page", file=sys.stderr, flush=True
    )
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        print(file=sys.stderr)


def _print_status(words: str) -> None:
    """Print to stderr, separate from the output of the script."""
    print(f"watch: {words}", file=sys.stderr, flush=True)
