"""A kernel in a sandbox, which can be ended whatever its cells do."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Empty
from typing import Any, Final

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.connect import write_connection_file
from nbformat.v4 import new_output, output_from_msg

from . import sandbox
from .kernel import GRADED, VERDICT
from .limits import Limits
from .processes import adopt_orphans, descendants, end

__all__ = ["SandboxedKernel", "KernelEnded", "error_output"]

STARTING: Final = 60.0  # seconds that a kernel may take
GRACE: Final = 3.0  # seconds between an interrupt and the end
LOOK: Final = 0.1  # seconds between two checks of the process
SHOWN: Final = ("stream", "display_data", "execute_result", "error")
ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
NETWORK: Final = "s"  # Unix sockets, which work without a network


class KernelEnded(Exception):  # noqa: N818  # it says what happened
    """Raised when the kernel has ended or had to be ended."""


class SandboxedKernel:
    """The kernel of one submission.

    Args:
        place: the folder in which it may write.
        work: the folder beneath `place` in which it starts.
        limits: its resource limits.

    Raises:
        RuntimeError: if it does not start; the message contains its output.
    """

    def __init__(self, place: Path, work: Path, limits: Limits) -> None:
        self._limits = limits
        own = place / f"kernel-{len(list(place.glob('kernel-*')))}"
        (own / "tmp").mkdir(parents=True)
        file, _ = write_connection_file(
            str(own / "connection.json"), ip=str(own / NETWORK), transport="ipc"
        )
        program = [sys.executable, "-P", "-m", f"{__package__}.kernel", "-f", file]
        adopt_orphans()
        self._others = descendants(os.getpid())
        command = sandbox.command(
            place, limits.memory, limits.file, limits.seconds, program
        )
        self._log = own / "log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603  # our own command
                command,
                cwd=work,
                env=_environment(own),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._client = BlockingKernelClient(connection_file=file)
        self._client.load_connection_file()
        self._client.start_channels()
        try:
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    def execute(self, source: str, stop: float, secret: str | None = None) -> list[Any]:
        """The outputs of a cell.

        Args:
            source: the source of the cell.
            stop: the time (`time.monotonic`) at which it must have ended.
            secret: for a graded cell, which runs with the course's own check.

        Raises:
            KernelEnded: the cell did not end, or the kernel did.
        """
        session = self._client.session
        message = session.msg(
            "execute_request",
            {
                "code": source, "silent": False, "store_history": False,
                "user_expressions": {}, "allow_stdin": False, "stop_on_error": False,
            },
            metadata={} if secret is None else {GRADED: secret},
        )  # fmt: skip
        self._client.shell_channel.send(message)
        own = message["header"]["msg_id"]
        reply = self._reply(own, stop)
        outputs = self._shown(own)
        if secret is None:
            return outputs
        printed = [o["text"] for o in outputs if o["output_type"] == "stream"]
        return [*map(_printed, printed), *_verdict(reply["content"])]

    def close(self) -> bool:
        """End the process and its descendants; return whether that succeeded."""
        self._client.stop_channels()
        ended = end(self._process.pid, self._others)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        return ended

    def _wait_until_ready(self) -> None:
        stop = time.monotonic() + STARTING
        self._client.kernel_info()
        while time.monotonic() < stop and self._process.poll() is None:
            message = _next(self._client.get_shell_msg)
            if message and message["msg_type"] == "kernel_info_reply":
                return
        said = self._log.read_text(errors="replace")[-2000:]
        raise RuntimeError(f"the kernel that grades does not start:\n{said}")

    def _reply(self, own: str, stop: float) -> Mapping[str, Any]:
        """Wait for a cell's end; after the time limit, interrupt it, then give up."""
        interrupted, began = False, time.monotonic()
        while True:
            reply = _next(self._client.get_shell_msg)
            if reply and reply["parent_header"].get("msg_id") == own:
                self._check_process()
                return dict(reply)
            self._check_process()
            if time.monotonic() < stop:
                continue
            if interrupted:
                raise KernelEnded(f"no end within {stop - began - GRACE:.0f} seconds")
            self._process.send_signal(signal.SIGINT)
            interrupted, stop = True, max(stop, time.monotonic()) + GRACE

    def _check_process(self) -> None:
        code = self._process.poll()
        if code is not None:
            advice = ": a function returns, it does not exit" if code >= 0 else ""
            raise KernelEnded(f"the process ended ({_how(code)}){advice}")
        if len(descendants(self._process.pid)) > self._limits.processes:
            raise KernelEnded(f"more than {self._limits.processes} processes at once")

    def _shown(self, own: str) -> list[Any]:
        """The outputs of a cell, up to the limit."""
        outputs: list[Any] = []
        size = 0
        stop = time.monotonic() + GRACE
        while time.monotonic() < stop:
            message = _next(self._client.get_iopub_msg)
            if not message or message["parent_header"].get("msg_id") != own:
                continue
            if message["content"].get("execution_state") == "idle":
                break
            if message["msg_type"] in SHOWN:
                output = output_from_msg(message)
                size += len(str(output))
                if size <= self._limits.output:
                    _append(outputs, output)
        if size > self._limits.output:
            text = f"[more than {self._limits.output} characters: the rest is left out]"
            outputs.append(new_output("stream", name="stderr", text=text))
        return outputs


def _append(outputs: list[Any], output: Any) -> None:
    """Append an output; consecutive pieces of a stream are joined."""
    last = outputs[-1] if outputs else {}
    if output["output_type"] == "stream" and last.get("name") == output["name"]:
        last["text"] += output["text"]
    else:
        outputs.append(output)


def error_output(kind: str, text: str) -> Any:
    """An error without its frames, which would show the check."""
    line = f"{kind}: {text}" if text else kind
    return new_output("error", ename=kind, evalue=text, traceback=[line])


def _verdict(content: Mapping[str, Any]) -> list[Any]:
    """The result of a graded cell as one output."""
    kind, text = content.get(VERDICT) or ("NoReply", "the cell gave no verdict")
    if kind == "KeyboardInterrupt":
        return [error_output("TimeLimitExceeded", "it did not end in time")]
    if kind:
        return [error_output(kind, text)]
    return [_printed(f"{text}\n")] if text else []


def _printed(text: str) -> Any:
    """Printed text, as stdout: a warning costs no points in nbgrader."""
    return new_output("stream", name="stdout", text=text)


def _next(get: Callable[..., Any]) -> Any:
    """The next valid message of a channel; None if none comes."""
    with contextlib.suppress(Empty, ValueError, KeyError, TypeError):
        return get(timeout=LOOK)
    return None


def _how(code: int) -> str:
    if code >= 0:
        return f"exit status {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


def _environment(own: Path) -> dict[str, str]:
    """The grader's environment with separate files, and one thread for BLAS."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONSTARTUP"}
    files = {
        "HOME": own,
        "IPYTHONDIR": own / "ipython",
        "JUPYTER_CONFIG_DIR": own / "jupyter",
        "MPLCONFIGDIR": own / "matplotlib",
        "TMPDIR": own / "tmp",
        "EDUTORCH_PROGRESS": own / "progress.json",
        "EDUTORCH_RUNS": own / "runs.db",
    }
    threads = dict.fromkeys(ONE_THREAD, "1")
    named = {name: str(path) for name, path in files.items()}
    return {**kept, **named, **threads, "EDUTORCH_SOLUTIONS": "off"}
