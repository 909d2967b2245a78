"""The processes of one machine: started, looked at, ended with all their children."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

from ...interrupts import end_with_parent

__all__ = ["Workers"]

GRACE = 3.0  # seconds in which the others say what they miss, when one has failed
PATIENCE = 3.0  # seconds between asking a process to end and making it


class Workers:
    """Processes that run one script.

    Args:
        environments: the environment of each.
        options: of the command line.
        attempt: how many times they were started before.
    """

    def __init__(
        self,
        environments: list[dict[str, str]],
        options: argparse.Namespace,
        attempt: int,
    ) -> None:
        self.environments = environments
        self.first_failure: int | None = None
        self.processes = [
            subprocess.Popen(  # noqa: S603 (what the user wants to run)
                _command(options),
                env=environment,
                start_new_session=True,  # to end its children with it
                preexec_fn=end_with_parent,  # noqa: PLW1509 (this process has one thread)
            )
            for environment in environments
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
            self.first_failure = min(failed, key=lambda i: _likely_effect(codes[i]))
        index = self.first_failure
        process = self.processes[index]
        return (
            f"rank {self.environments[index]['RANK']} (local rank {index}, pid "
            f"{process.pid}) {_how(int(process.returncode))}"
        )

    def let_others_end(self) -> None:
        """Wait a while: the others notice by themselves that one is gone."""
        until = time.monotonic() + GRACE
        while self.running() and time.monotonic() < until:
            time.sleep(0.05)

    def end(self) -> None:
        """End all processes and their children, if need be by force."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process in self.processes:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, number)
            until = time.monotonic() + PATIENCE
            while self.running() and time.monotonic() < until:
                time.sleep(0.02)


def _likely_effect(code: int | None) -> int:
    """Whether a process ended because of another: asked to, or with an error."""
    return {-signal.SIGTERM: 2}.get(code or 0, int((code or 0) > 0))


def _command(options: argparse.Namespace) -> list[str]:
    """The command line of each process."""
    if options.no_python:
        return [options.script, *options.script_args]
    start = [sys.executable, "-u"]
    if options.module:
        start.append("-m")
    return [*start, options.script, *options.script_args]


def _how(code: int) -> str:
    """How a process has ended."""
    if code >= 0:
        return f"failed with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed by {name}"
