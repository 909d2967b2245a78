"""Compiling all kernels, by request or in the background, once for a machine.

Numba keeps what it compiles beside the sources or in the user's cache. A stamp in the
user's cache says that everything is there; its name holds all that the compiled code
depends on, so that any change asks for compiling again.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from edutorch.kernels.lazy_modules import LazyModule

__all__ = ["command", "compile_all", "ready", "stamp"]

# Needed once a process has worked for a while, so not part of `import edutorch`.
hashlib, metadata = LazyModule("hashlib"), LazyModule("importlib.metadata")
platform, subprocess = LazyModule("platform"), LazyModule("subprocess")

FAST = Path(__file__).parent / "fast"
HOME = Path(__file__).resolve().parents[2]  # the folder that holds edutorch
PATIENCE = 0.25  # seconds of plain work before compiling is worth another process
AGAIN = 0.5  # seconds between two looks at the stamp


class _State:
    """What this process knows: whether all is compiled, when to look again."""

    ready = False
    look_at = 0.0
    started = False


def ready() -> bool:
    """Whether all kernels are compiled; if not, another process is set to it.

    What is compiled serves from the first call on: compiled and plain kernels differ
    in last bits, and a program that went over from one to the other after some time
    would print other numbers from run to run.
    """
    if _State.ready:
        return True
    now = time.monotonic()
    if now < _State.look_at:
        return False
    first, _State.look_at = not _State.look_at, now + AGAIN
    if stamp().exists():
        _State.ready = True
    elif first:
        _State.look_at = now + PATIENCE
    elif not _State.started:
        _State.started = True
        threading.Thread(target=_start, name="edutorch warmup", daemon=True).start()
    return _State.ready


def compile_all() -> list[str]:
    """Compile every kernel, or load what is compiled; returns the files' names.

    Raises:
        RuntimeError: if Numba is not installed.
    """
    if find_spec("numba") is None:
        raise RuntimeError(
            "compiled kernels need Numba: pip install 'edutorch[fast]'; everything "
            "works without them"
        )
    names = [path.stem for path in _sources()]
    for name in names:
        import_module(f"{__package__}.fast.{name}")
    made = stamp()
    made.parent.mkdir(parents=True, exist_ok=True)
    made.touch()
    return names


@cache
def stamp() -> Path:
    """The file whose existence says that all kernels are compiled.

    Example:
        >>> stamp().name.startswith("kernels-")
        True
    """
    parts = [
        sys.version,
        platform.machine(),
        platform.node(),
        _version_of_numba(),
    ]
    for path in _sources():
        status = path.stat()
        parts += [str(path), str(status.st_mtime_ns), str(status.st_size)]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "edutorch" / f"kernels-{digest[:16]}"


def _version_of_numba() -> str:
    try:
        return str(metadata.version("numba"))
    except metadata.PackageNotFoundError:
        return "none"


def _sources() -> list[Path]:
    return sorted(path for path in FAST.glob("*.py") if path.stem != "__init__")


def command() -> list[str]:
    """The command that compiles the kernels of this very package.

    It takes no module from the working folder, which may be anybody's: a file
    `numba.py` there would be run.
    """
    program = (
        f"import sys; sys.path.append({str(HOME)!r}); "
        "from edutorch.__main__ import main; sys.exit(main(['warmup']))"
    )
    return [sys.executable, "-P", "-c", program]


def _start() -> None:
    """Do what `python -m edutorch warmup` does with the rest of the machine's time."""
    gentle = ["nice", "-n", "19"] if os.name == "posix" else []
    subprocess.run(
        [*gentle, *command()],
        check=False,
        cwd=HOME,  # an empty entry of PYTHONPATH means the working folder, too
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # an interrupt of the program is not meant for it
    )
