"""Training runs in a local SQLite file: listed, compared, exported.

The file is `~/.edutorch/runs.db`, or the one given by EDUTORCH_RUNS. Several processes
may write to it. A damaged file is renamed, with a warning, and a new one is created.
"""

from __future__ import annotations

import csv
import json
import math
import os
import platform
import sqlite3
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from ..serialization.atomic import replacing
from .run_series import MOST, as_json, in_order

__all__ = ["RunStore", "RunWriter"]

T = TypeVar("T")

VERSION = 3
RUNS = 500  # the oldest are dropped
METRICS = 32
PATIENCE = 0.5  # seconds to wait for another process
SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, settings TEXT NOT NULL,
  started REAL NOT NULL, updated REAL NOT NULL, state TEXT NOT NULL,
  steps INTEGER NOT NULL, alerts TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS samples (
  run INTEGER NOT NULL, name TEXT NOT NULL, step INTEGER NOT NULL, value REAL,
  PRIMARY KEY (run, name, step)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS processes (
  run INTEGER PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS times (run INTEGER PRIMARY KEY, elapsed REAL NOT NULL);
"""
FIELDS = (
    "id", "name", "settings", "started", "updated", "state", "steps", "alerts",
    "elapsed",
)  # fmt: skip
LISTED = """
SELECT id, name, settings, started, updated, state, steps, alerts, elapsed, host, pid
FROM runs LEFT JOIN processes ON processes.run = id LEFT JOIN times ON times.run = id
WHERE :name IS NULL OR name = :name ORDER BY id DESC
"""


class RunStore:
    """The training runs stored on this machine.

    Args:
        path: the file; by default EDUTORCH_RUNS, or `~/.edutorch/runs.db`.

    Example:
        >>> import edutorch as torch, tempfile, os
        >>> store = RunStore(os.path.join(tempfile.mkdtemp(), "runs.db"))
        >>> run = store.create("lenet", {"lr": 0.1})
        >>> store.write(run, "done", 2, {"loss": [(1, 0.5), (2, 0.25)]})
        >>> [(r["id"], r["name"], r["settings"], r["steps"]) for r in store.runs()]
        [(1, 'lenet', {'lr': 0.1}, 2)]
        >>> store.samples(run)
        {'loss': [(1, 0.5), (2, 0.25)]}
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        named = path or os.environ.get("EDUTORCH_RUNS")
        self.path = Path(named) if named else Path.home() / ".edutorch" / "runs.db"

    # ---- reading

    def runs(self, name: str | None = None) -> list[dict[str, Any]]:
        """The runs, newest first; with a name, only those of that name.

        The state of a run whose process was killed, for example by the system, is
        "killed". `elapsed` is the time of its loops in seconds, without pauses and
        without the time between notebook cells; None if it was not recorded.

        Raises:
            sqlite3.Error: if the file cannot be read.
        """
        if not self.path.exists():
            return []
        given = {"name": name}
        rows = self._in_transaction(lambda db: db.execute(LISTED, given).fetchall())
        found = []
        for *values, host, pid in rows:
            found.append(run := dict(zip(FIELDS, values, strict=True)))
            if run["state"] == "running" and _has_ended(host, pid):
                run["state"] = "killed"
            run["settings"] = _parsed(run["settings"], {})
            run["alerts"] = _parsed(run["alerts"], [])
        return found

    def samples(self, run: int) -> dict[str, list[tuple[int, float]]]:
        """The samples of a run by name, in step order.

        Raises:
            KeyError: if there is no such run.
            sqlite3.Error: if the file cannot be read.
        """
        if all(known["id"] != run for known in self.runs()):
            raise KeyError(f"no run {run} in {self.path}")
        query = "SELECT name, step, value FROM samples WHERE run = ? ORDER BY step"
        rows = self._in_transaction(lambda db: db.execute(query, (run,)).fetchall())
        found: dict[str, list[tuple[int, float]]] = {}
        for name, step, value in rows[: METRICS * MOST]:
            number = value if isinstance(value, (int, float)) else math.nan
            found.setdefault(str(name), []).append((int(step), float(number)))
        return found

    def export_csv(self, path: str | os.PathLike[str], *runs: int) -> Path:
        """Export runs (by default all) as a table: run, name, metric, step, value.

        Raises:
            KeyError: if there is no such run.
        """
        names = {run["id"]: run["name"] for run in self.runs()}
        chosen = runs or sorted(names)
        tables = {run: self.samples(run) for run in chosen}
        with replacing(path) as file:
            lines = csv.writer(_Encoded(file))
            lines.writerow(["run", "name", "metric", "step", "value"])
            for run, metrics in tables.items():
                for metric, samples in metrics.items():
                    for step, value in samples:
                        lines.writerow([run, names[run], metric, step, value])
        return Path(path)

    # ---- writing

    def create(self, name: str, settings: dict[str, Any] | None = None) -> int:
        """Begin a run and return its number; beyond 500 runs, the oldest are dropped.

        Raises:
            sqlite3.Error: if the file cannot be written.
            OSError: if its folder cannot be made.
        """
        now = time.time()
        given = (name, json.dumps(settings or {}, default=str), now, now, "running")

        def insert(db: sqlite3.Connection) -> int:
            made = db.execute(
                "INSERT INTO runs (name, settings, started, updated, state, steps,"
                " alerts) VALUES (?, ?, ?, ?, ?, 0, '[]')",
                given,
            )
            db.execute(
                "INSERT OR REPLACE INTO processes VALUES (?, ?, ?)",
                (made.lastrowid, platform.node(), os.getpid()),
            )
            oldest = int(made.lastrowid or 0) - RUNS
            db.execute("DELETE FROM samples WHERE run <= ?", (oldest,))
            db.execute("DELETE FROM processes WHERE run <= ?", (oldest,))
            db.execute("DELETE FROM times WHERE run <= ?", (oldest,))
            db.execute("DELETE FROM runs WHERE id <= ?", (oldest,))
            return int(made.lastrowid or 0)

        return self._in_transaction(insert)

    def write(
        self,
        run: int,
        state: str,
        steps: int,
        samples: dict[str, list[tuple[int, float]]],
        alerts: list[dict[str, Any]] | None = None,
        anew: tuple[str, ...] = (),
        elapsed: float | None = None,
    ) -> None:
        """Add samples to a run and set its status.

        Args:
            run: its number.
            state: "running", "done" ...
            steps: the number of completed steps.
            samples: step and value, by name.
            alerts: all alerts.
            anew: names whose earlier samples are dropped.
            elapsed: the seconds of its loops, without rests.

        Raises:
            sqlite3.Error: if the file cannot be written.
        """
        rows = [
            (run, name, step, None if math.isnan(value) else value)
            for name, points in samples.items()
            for step, value in points
        ]

        def update(db: sqlite3.Connection) -> None:
            for name in anew:
                db.execute(
                    "DELETE FROM samples WHERE run = ? AND name = ?", (run, name)
                )
            db.executemany("INSERT OR REPLACE INTO samples VALUES (?, ?, ?, ?)", rows)
            db.execute(
                "UPDATE runs SET updated = ?, state = ?, steps = ?, alerts = ?"
                " WHERE id = ?",
                (time.time(), state, steps, json.dumps(alerts or []), run),
            )
            if elapsed is not None:
                row = run, elapsed
                db.execute("INSERT OR REPLACE INTO times VALUES (?, ?)", row)

        self._in_transaction(update)

    def delete(self, *runs: int) -> None:
        """Delete runs and their samples.

        Raises:
            sqlite3.Error: if the file cannot be written.
        """

        def drop(db: sqlite3.Connection) -> None:
            for run in runs:
                db.execute("DELETE FROM samples WHERE run = ?", (run,))
                db.execute("DELETE FROM processes WHERE run = ?", (run,))
                db.execute("DELETE FROM times WHERE run = ?", (run,))
                db.execute("DELETE FROM runs WHERE id = ?", (run,))

        self._in_transaction(drop)

    # ---- the file

    def _in_transaction(self, action: Callable[[sqlite3.Connection], T]) -> T:
        """Run an action in a transaction; a damaged file is moved aside first."""
        try:
            with self._connect() as db:
                return action(db)
        except sqlite3.DatabaseError as error:
            if type(error) is not sqlite3.DatabaseError:  # locked, full, read-only ...
                raise
            self._move_aside(error)
        with self._connect() as db:
            return action(db)

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise sqlite3.OperationalError(
                    f"{self.path} was written by a newer version of edutorch"
                )
            if version < VERSION:
                db.executescript(SCHEMA + f"PRAGMA user_version = {VERSION};")
            with db:
                yield db

    def _move_aside(self, error: Exception) -> None:
        aside = self.path.with_name(f"{self.path.name}.damaged-{time.time_ns()}")
        with suppress(FileNotFoundError):  # another process has moved it
            self.path.replace(aside)
        for suffix in ("-wal", "-shm"):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)
        warnings.warn(
            f"{self.path} is damaged ({error}); it was moved to {aside.name}",
            RuntimeWarning,
            stacklevel=4,
        )


def _has_ended(host: Any, pid: Any) -> bool:
    """Whether a process on this machine has ended, as far as can be known."""
    if os.name != "posix" or host != platform.node() or not isinstance(pid, int):
        return False
    try:
        os.kill(pid, 0)  # signal 0 only checks that the process exists
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


class RunWriter:
    """Writes a growing run to a store, each time only the new data.

    Args:
        store: the store that it writes to.
        name: the name of the run.
        settings: values to show with the run.

    Attributes:
        id: the number of the run, 0 before the first writing.

    Example:
        >>> import edutorch as torch, tempfile, os
        >>> store = RunStore(os.path.join(tempfile.mkdtemp(), "runs.db"))
        >>> recorder = torch.inspect.RunRecorder()
        >>> recorder.log(accuracy=0.5)
        >>> writer = RunWriter(store, "mine", {})
        >>> writer.write(recorder.series())
        >>> store.samples(writer.id)
        {'accuracy': [(0, 0.5)]}
    """

    def __init__(self, store: RunStore, name: str, settings: dict[str, Any]) -> None:
        self.store = store
        self.name = name
        self.settings = settings
        self.id = 0
        self._written: dict[str, tuple[int, int]] = {}  # stride, samples

    def write(self, data: dict[str, Any], earlier: float = 0.0) -> None:
        """Write the new data of a `RunRecorder` to the store.

        Args:
            data: the recorder's series.
            earlier: the seconds of the loops before the current one.

        Raises:
            sqlite3.Error: if the file cannot be written.
            OSError: if its folder cannot be made.
        """
        if not self.id:
            self.id = self.store.create(self.name, self.settings)
        samples, anew, written = {}, [], {}
        for series in data["series"]:
            name, stride = series["name"], series["stride"]
            before, count = self._written.get(name, (stride, 0))
            if before != stride:
                anew.append(name)
                count = 0
            points = list(
                zip(series["steps"], map(float, series["values"]), strict=True)
            )
            samples[name] = points[max(0, count - 1) :]  # the last one may have changed
            written[name] = (stride, len(points))
        self.store.write(
            self.id,
            data["state"],
            data["step"],
            samples,
            data["alerts"],
            tuple(anew),
            earlier + float(data["elapsed"]),
        )
        self._written = written

    def earlier_runs(self, most: int = 4) -> list[dict[str, Any]]:
        """Earlier runs of the same name as JSON-ready data.

        Raises:
            sqlite3.Error: if the file cannot be read.
        """
        if not self.name:
            return []
        runs = [run for run in self.store.runs(self.name) if run["id"] != self.id]
        return [run_data(self.store, run) for run in runs[:most]]


def run_data(store: RunStore, run: dict[str, Any], most: int = 200) -> dict[str, Any]:
    """A stored run for a view that overlays it on others; long series are thinned.

    Example:
        >>> import tempfile, os
        >>> store = RunStore(os.path.join(tempfile.mkdtemp(), "runs.db"))
        >>> store.write(store.create("a"), "done", 1, {"loss": [(1, 0.5)]})
        >>> run_data(store, store.runs()[0])["series"][0]["values"]
        [0.5]
    """
    series = []
    found = store.samples(run["id"])
    for name in in_order(found)[:METRICS]:
        samples = found[name]
        every = max(1, -(-len(samples) // most))
        kept = samples[::every]
        series.append(
            {
                "name": name,
                "steps": [step for step, _ in kept],
                "values": [as_json(value) for _, value in kept],
                "stride": every,
                "last": as_json(samples[-1][1]),
            }
        )
    settings = [[str(k), str(v)] for k, v in dict(run["settings"]).items()]
    return {
        "id": run["id"],
        "name": run["name"],
        "settings": settings,
        "series": series,
    }


def _parsed(text: Any, otherwise: Any) -> Any:
    """Parse JSON from the file; damaged JSON gives a default."""
    try:
        value = json.loads(text)
    except (TypeError, ValueError):
        return otherwise
    return value if isinstance(value, type(otherwise)) else otherwise


class _Encoded:
    """Text encoded for a binary file."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, text: str) -> int:
        return int(self._file.write(text.encode()))
