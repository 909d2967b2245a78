"""The output of the processes of one machine: to the console, files, or both."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

__all__ = ["WorkerOutput", "parse_streams"]

NAMES = {1: "stdout", 2: "stderr"}  # the bits of `--redirects` and `--tee`


def parse_streams(text: str) -> dict[int | None, int]:
    """The streams that an option means, for each process; None stands for all.

    1 means standard output, 2 standard error, 3 both, 0 neither.

    Raises:
        ValueError: for anything else.

    Example:
        >>> parse_streams("3"), parse_streams("0:1,2:3")
        ({None: 3}, {0: 1, 2: 3})
    """
    pairs = [part.rpartition(":") for part in text.split(",")]
    found = {int(rank) if colon else None: int(bits) for rank, colon, bits in pairs}
    if not set(found.values()) <= {0, 1, 2, 3} or (None in found and len(found) > 1):
        raise ValueError(f"{text}: expected a number from 0 to 3, or such as 0:1,1:3")
    return found


class WorkerOutput:
    """Opens a file for each stream to be kept, and copies files to the console.

    Args:
        options: of the command line.
        attempt: how many times the processes were started before.

    Attributes:
        folder: where the files are: `folder/LOCAL_RANK/stdout.log`.
    """

    def __init__(self, options: argparse.Namespace, attempt: int) -> None:
        self.role = options.role
        self.redirects = parse_streams(options.redirects)
        self.tee = parse_streams(options.tee)
        text = options.local_ranks_filter
        self.shown = {int(rank) for rank in text.split(",")} if text else None
        self.folder: Path | None = None
        if any(self.redirects.values()) or any(self.tee.values()):
            self.folder = _run_folder(options) / f"attempt_{attempt}"
        self._opened: list[IO[bytes]] = []
        self._copied: list[tuple[IO[bytes], IO[str], str]] = []

    def streams(self, local_rank: int) -> dict[str, Any]:
        """The arguments `stdout` and `stderr` of `subprocess.Popen` for a process."""
        return {name: self._stream(local_rank, bit) for bit, name in NAMES.items()}

    def _stream(self, local_rank: int, bit: int) -> IO[bytes] | None:
        """The file of a stream; None if the process inherits the launcher's."""
        tee = _bits(self.tee, local_rank) & bit
        hidden = self.shown is not None and local_rank not in self.shown
        if self.folder is None or not (tee | _bits(self.redirects, local_rank)) & bit:
            return self._open(Path(os.devnull)) if hidden else None
        path = self.folder / str(local_rank) / f"{NAMES[bit]}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        file = self._open(path)
        if tee and not hidden:
            console = sys.stdout if bit == 1 else sys.stderr
            prefix = f"[{self.role}{local_rank}]:"
            self._copied.append((path.open("rb"), console, prefix))
        return file

    def _open(self, path: Path) -> IO[bytes]:
        self._opened.append(path.open("wb"))
        return self._opened[-1]

    def copy_lines(self, *, last: bool = False) -> None:
        """Print the lines that were written since the last call, with their process.

        Args:
            last: whether nothing follows, so that an unfinished line is printed, too.
        """
        for file, console, prefix in self._copied:
            begin = file.tell()
            text = file.read()
            if not last:
                text = text[: text.rfind(b"\n") + 1]
                file.seek(begin + len(text))
            for line in text.decode(errors="replace").splitlines():
                print(f"{prefix}{line}", file=console, flush=True)

    def close(self) -> None:
        """Print what is left, and close all files."""
        self.copy_lines(last=True)
        for file in (*self._opened, *(copied[0] for copied in self._copied)):
            file.close()
        self._opened, self._copied = [], []


def _bits(streams: dict[int | None, int], local_rank: int) -> int:
    return streams.get(local_rank, streams.get(None, 0))


def _run_folder(options: argparse.Namespace) -> Path:
    """A new folder for the files of this run; its name is printed once."""
    if options.run_folder is None:
        parent = options.log_dir
        if parent is not None:
            Path(parent).mkdir(parents=True, exist_ok=True)
        options.run_folder = tempfile.mkdtemp(prefix=f"{options.rdzv_id}_", dir=parent)
        print(f"edutorch run: output is in {options.run_folder}", file=sys.stderr)
    return Path(options.run_folder)
