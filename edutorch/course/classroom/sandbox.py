"""Starts a program that can write only to one folder and has no network.

    python -m edutorch.course.classroom.sandbox FOLDER MEMORY FILE SECONDS COMMAND...

On Linux, Landlock (kernel 5.13 and later) makes the system read-only and the folder
writable, a separate namespace removes the network, and resource limits bound memory,
processor time and file sizes. `available_restrictions` returns which of these this
machine has; other systems only have the resource limits of their kernel.
"""

from __future__ import annotations

import ctypes
import os
import site
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]  # checked before each use

__all__ = ["command", "confine", "available_restrictions", "main"]

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # system calls
NO_NEW_PRIVILEGES: Final = 38  # of prctl
NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000  # of unshare
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
READ: Final = EXECUTE | READ_FILE | READ_DIR
# The number of kinds of access that each version of Landlock can restrict.
KINDS: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
TCP: Final = 3  # binding and connecting
OUTSIDE: Final = 3  # abstract sockets and signals to processes outside
SYSTEM: Final = ("/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/proc", "/dev")
PACKAGE: Final = Path(__file__).resolve().parents[2]
DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/tty")


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # the one of packed structures: Python 3.14 wants it named
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def command(
    folder: Path, memory: int, file: int, seconds: float, program: Sequence[str]
) -> list[str]:
    """The command that starts `program` confined to `folder`."""
    start = [sys.executable, "-P", "-m", __spec__.name]
    return [*start, str(folder), str(memory), str(file), str(int(seconds)), *program]


def available_restrictions() -> tuple[str, ...]:
    """The restrictions available on this machine: "files", "network", "memory".

    Example:
        >>> set(available_restrictions()) <= {"files", "network", "memory"}
        True
    """
    found = []
    if _landlock_version() > 0:
        found.append("files")
    if _in_a_child(_leave_network):
        found.append("network")
    if sys.platform.startswith("linux"):
        found.append("memory")
    return tuple(found)


def confine(folder: Path, memory: int, file: int, seconds: int) -> None:
    """Confine this process and its future children permanently.

    Args:
        folder: where it may write.
        memory: bytes of address space.
        file: bytes of the largest file.
        seconds: of processor time.
    """
    _limit(memory, file, seconds)
    _leave_network()
    _restrict_files(folder)


def main(arguments: Sequence[str] | None = None) -> None:
    """Confine this process, then replace it by the program."""
    folder, memory, file, seconds, *program = arguments or sys.argv[1:]
    confine(Path(folder), int(memory), int(file), int(seconds))
    os.execv(program[0], program)  # noqa: S606  # the caller's own command


def _limit(memory: int, file: int, seconds: int) -> None:
    if resource is None:
        return
    for kind, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, file),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.setrlimit(kind, (value, value))
        except (OSError, ValueError):  # macOS does not limit the address space
            continue


def _leave_network() -> bool:
    """Leave the network namespace; False if that is not allowed."""
    if not sys.platform.startswith("linux"):
        return False
    libc, user, group = ctypes.CDLL(None), os.getuid(), os.getgid()
    if libc.unshare(NEW_NETWORK) == 0:
        return True
    if libc.unshare(NEW_USER | NEW_NETWORK) != 0:
        return False
    # Without a map, this process would have no user id.
    for name, line in (
        ("uid_map", f"{user} {user} 1"),
        ("setgroups", "deny"),
        ("gid_map", f"{group} {group} 1"),
    ):
        try:
            Path(f"/proc/self/{name}").write_text(line, encoding="ascii")
        except OSError:
            continue
    return True


def _landlock_version() -> int:
    """The version of Landlock; 0 if there is none."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, 1), 0)


def _restrict_files(folder: Path) -> bool:
    """Make the system read-only except `folder`; False without Landlock."""
    version = _landlock_version()
    if version == 0:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    every = (1 << KINDS[min(version, max(KINDS))]) - 1
    ruleset = _Ruleset(
        every, TCP if version >= 4 else 0, OUTSIDE if version >= 6 else 0
    )
    size = 8 * (1 + (version >= 4) + (version >= 6))
    rules = libc.syscall(CREATE_RULESET, ctypes.byref(ruleset), size, 0)
    if rules < 0:
        raise OSError(ctypes.get_errno(), "Landlock cannot create a set of rules")
    for path in _readable():
        _allow(libc, rules, path, READ)
    _allow(libc, rules, PACKAGE.parent, READ_DIR)  # imports list the folder
    for name in DEVICES:
        _allow(libc, rules, Path(name), READ_FILE | WRITE_FILE)
    for path in (folder, Path("/dev/shm")):  # noqa: S108  # shared memory of workers
        _allow(libc, rules, path, every)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if libc.syscall(RESTRICT_SELF, rules, 0) != 0:
        raise OSError(ctypes.get_errno(), "Landlock does not confine this process")
    os.close(rules)
    return True


def _readable() -> Iterator[Path]:
    """The paths of the system, of Python and of its packages."""
    places = {*SYSTEM, sys.prefix, sys.base_prefix, *site.getsitepackages(), *sys.path}
    # The package alone: a checkout may also contain a class with its grades.
    yield PACKAGE
    for place in sorted(places - {"", str(PACKAGE.parent)}):
        if Path(place).exists():
            yield Path(place)


def _allow(libc: ctypes.CDLL, rules: int, path: Path, access: int) -> None:
    """Allow `access` to a file, or to everything in a folder."""
    if not path.exists():
        return
    if not path.is_dir():
        access &= EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15
    opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _Beneath(access, opened)
        if libc.syscall(ADD_RULE, rules, 1, ctypes.byref(rule), 0) != 0:
            raise OSError(ctypes.get_errno(), f"Landlock takes no rule for {path}")
    finally:
        os.close(opened)


def _in_a_child(attempt: Callable[[], object]) -> bool:
    """Whether an action succeeds, tried in a child process."""
    if not hasattr(os, "fork"):
        return False
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if attempt() else 1)
        except BaseException:  # noqa: BLE001  # it must not continue as a second parent
            os._exit(2)
    return os.waitpid(child, 0)[1] == 0


if __name__ == "__main__":
    main()
