"""The processes of one machine: starts, monitors and ends them and their children."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

from ...interrupts import end_with_parent
from .worker_output import WorkerOutput

__all__ = ["Workers"]

EXIT_GRACE_SECONDS = 3.0  # for other ranks to report a failed one
KILL_SECONDS = 30.0  # for a killed process to end, even on a busy machine
RUN_PATH = (  # the program that --run-path runs
    "import runpy, sys; sys.argv = sys.argv[1:]; "
    "runpy.run_path(sys.argv[0], run_name='__main__')"
)


class Workers:
    """Processes that run one script.

    Args:
        environments: the environment of each.
        options: of the command line.
        attempt: how many times they were started before.

    Attributes:
        output: where what they print goes.
    """

    def __init__(
        self,
        environments: list[dict[str, str]],
        options: argparse.Namespace,
        attempt: int,
    ) -> None:
        self.environments = environments
        self.first_failure: int | None = None
        self.shutdown_timeout = options.shutdown_timeout
        self.output = WorkerOutput(options, attempt)
        self.processes = [
            subprocess.Popen(  # noqa: S603 (what the user wants to run)
                _command(options),
                env=environment,
                **self.output.streams(i),
                start_new_session=True,  # so that its children end with it
                preexec_fn=end_with_parent,  # noqa: PLW1509 (this process has one thread)
            )
            for i, environment in enumerate(environments)
        ]

    def running(self) -> bool:
        """Whether a process has not ended."""
        codes = [process.poll() for process in self.processes]
        return None in codes

    def failure(self) -> str | None:
        """The first failure in words, or None while all are well."""
        if self.first_failure is None:
            codes = [process.poll() for process in self.processes]
            failed = [i for i, code in enumerate(codes) if code]
            if not failed:
                return None
            self.first_failure = min(failed, key=lambda i: _is_secondary(codes[i]))
        index = self.first_failure
        process = self.processes[index]
        return (
            f"rank {self.environments[index]['RANK']} (local rank {index}, pid "
            f"{process.pid}) {_describe_exit(int(process.returncode))}"
        )

    def wait_for_others(self) -> None:
        """Give the others time to notice by themselves that one is gone."""
        until = time.monotonic() + EXIT_GRACE_SECONDS
        while self.running() and time.monotonic() < until:
            time.sleep(0.05)

    def terminate(self, first: int = signal.SIGTERM) -> None:
        """End all processes and their children; kill those that do not end.

        What they have printed until then is copied, and their files are closed.

        Args:
            first: the signal that they get before they are killed.
        """
        for number, patience in (
            (first, self.shutdown_timeout),
            (signal.SIGKILL, max(self.shutdown_timeout, KILL_SECONDS)),
        ):
            for process in self.processes:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, number)
            until = time.monotonic() + patience
            while self.running() and time.monotonic() < until:
                time.sleep(0.02)
        self.output.close()


def _is_secondary(code: int | None) -> int:
    """2 for a process that was told to end, 1 for one that failed, 0 for one killed."""
    return {-signal.SIGTERM: 2}.get(code or 0, int((code or 0) > 0))


def _command(options: argparse.Namespace) -> list[str]:
    """The command line of each process."""
    start = [sys.executable, "-u"]
    if options.run_path:
        return [*start, "-c", RUN_PATH, options.script, *options.script_args]
    if options.no_python:
        return [options.script, *options.script_args]
    if options.module:
        start.append("-m")
    return [*start, options.script, *options.script_args]


def _describe_exit(code: int) -> str:
    """A description of how a process ended."""
    if code >= 0:
        return f"failed with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed by {name}"
