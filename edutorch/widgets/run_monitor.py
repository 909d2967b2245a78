"""RunMonitor: is training going well?"""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
import weakref
from typing import Any, ClassVar, Self

from ..inspect import RunRecorder, RunRules, RunStore
from ..inspect.run_store import RunWriter, run_data
from .arguments import check_argument
from .draw_run import draw_run, run_text
from .format import clip
from .notebook import cells, current_shell
from .svg import Picture, printable
from .view import View

__all__ = ["RunMonitor"]

_numbers = itertools.count(1)
SAVED_VALUES = 200  # of each series, at most
EVERY = 2.0  # seconds between two writes
OTHERS = 4  # overlaid runs


class RunMonitor(View):
    """Loss, learning rate, update size, speed and logged values over the steps.

    The loss is the root of `backward`; `edutorch.inspect.RunRecorder` explains each
    number. Runs are stored in one file on this machine (`edutorch.inspect.RunStore`);
    earlier ones of the same name are overlaid. If storing fails, the view shows a
    remark; it never raises an error.

    `track` creates one and reports when batches begin and end. Without it, the view
    counts training steps from its creation on, and the run ends with the cell, the
    `with` block or the program. Its state tells how: "done" and "ended" if nothing went
    wrong, "stopped" if the loop was left early, "interrupted" by Ctrl-C, "failed with"
    the name of an exception. A process that was killed leaves its run "killed".

    Args:
        name: the name of the run; earlier runs of that name are overlaid.
        settings: shown and stored with the run.
        rules: when to alert.
        store: where runs are stored; None for the default file, False not to store
            them.

    Example:
        >>> import edutorch as torch
        >>> with RunMonitor(store=False) as monitor:
        ...     monitor.log(accuracy=0.5)
        ...     print(monitor.text().splitlines()[2])
          accuracy        0.5  0.5 .. 0.5
    """

    kind: ClassVar[str] = "run"
    _recorder: RunRecorder

    def __init__(
        self,
        name: str = "",
        settings: dict[str, Any] | None = None,
        rules: RunRules | None = None,
        store: RunStore | bool | None = None,
    ) -> None:
        check_argument("RunMonitor", "name", name, str)
        self._store = _chosen(store)
        self._saving = threading.Lock()
        self._others: list[dict[str, Any]] = []
        self._limits = rules or RunRules()
        self._describe(name, settings or {})
        super().__init__(self._new_recorder())
        # runs at the end of the program, also after an error; must not refer to `self`
        self._at_exit = weakref.finalize(self, _write_last, self._holder, os.getpid())

    @classmethod
    def compare(cls, *runs: int, store: RunStore | None = None) -> Self:
        """Show stored runs: the first, overlaid with the others.

        Args:
            runs: their numbers, as `RunStore.runs` lists them.
            store: where they are kept.

        Raises:
            KeyError: if there is no such run.

        Example:
            >>> import tempfile, os
            >>> from edutorch.inspect import RunStore
            >>> store = RunStore(os.path.join(tempfile.mkdtemp(), "runs.db"))
            >>> store.write(store.create("a"), "done", 1, {"loss": [(1, 0.5)]})
            >>> store.write(store.create("b"), "done", 1, {"loss": [(1, 0.25)]})
            >>> print(RunMonitor.compare(1, 2, store=store).text().splitlines()[-1])
              compared with Run 2, b: loss 0.25
        """
        kept = store or RunStore()
        known = {run["id"]: run for run in kept.runs()}
        missing = [run for run in runs if run not in known]
        if missing or not runs:
            raise KeyError(f"no run {', '.join(map(str, missing))} in {kept.path}")
        first, *others = [run_data(kept, known[run], 1000) for run in runs]
        main = known[runs[0]]
        empty = RunRecorder("unheard").series()
        data = empty | {
            "run": {key: first[key] for key in ("id", "name", "settings")},
            "state": str(main["state"]),
            "step": int(main["steps"]),
            "done": int(main["steps"]),
            "elapsed": main["elapsed"],
            "series": first["series"],
            "others": others,
            "alerts": [a for a in main["alerts"] if _is_alert(a)],
            "rules": [],
        }
        return cls.recorded(data)

    # ---- the run

    def _describe(self, name: str, settings: dict[str, Any]) -> None:
        """Set the name and the settings of the current run."""
        self._name, self._settings = name, settings
        self._text = [[str(k), _one_line(v)] for k, v in settings.items()]
        self._written = -1
        self._next_save = time.monotonic() + EVERY

    def _new_recorder(self) -> RunRecorder:
        limits = self._limits
        rules = RunRules(limits.rising, limits.update, limits.stalled)
        recorder = RunRecorder(f"view.run.{next(_numbers)}", rules)
        writer = self._store and RunWriter(self._store, self._name, self._settings)
        self._holder: list[Any] = [writer, recorder._collector]
        return recorder

    def next_run(self, name: str, settings: dict[str, Any]) -> None:
        """Begin another run in this view; the previous one becomes an overlay."""
        self.save()
        with self._lock:
            data = self._fetch(current=True)
            mine = data["run"] | {"series": [_thinned(s) for s in data["series"]]}
            self._recorder.close()
            self._describe(name, settings)
            holder, before = self._holder, self._others
            self._recorder = self._new_recorder()
            holder[:] = self._holder  # for the end of the program
            self._holder = holder
            older = [mine, *before] if mine["series"] else before
            self._others = older[:OTHERS]
            self._recorder.open()

    @property
    def optimizers_freed(self) -> bool:
        """Whether the run's optimizers are freed, so that another run begins."""
        return self._recorder.optimizers_freed

    @property
    def looping(self) -> bool:
        """Whether a tracked loop is running."""
        return self._recorder._collector.inside

    def log(self, **values: Any) -> None:
        """Log numbers for the current step.

        Args:
            values: numbers, or tensors of one element; anything else is a remark.
        """
        if not self.frozen:
            self._recorder.log(**values)

    def __exit__(self, *exception: object) -> None:
        for error in exception:
            if isinstance(error, BaseException):
                self.end_by(error)
        self.end()
        super().__exit__(*exception)

    def end(self, state: str = "done") -> None:
        """End the training; no effect if a tracked loop has ended it.

        Args:
            state: the state that the view then shows.
        """
        if self._recorder._collector.state == "running":
            self._recorder.end(state)

    def end_by(self, error: BaseException) -> None:
        """End the training with an exception, unless it has already ended.

        Args:
            error: the exception, which gives the state its name.
        """
        self._recorder.end_by(error)

    def save(self) -> None:
        """Write new data to the store; a failure becomes a remark."""
        with self._saving:
            self._next_save = time.monotonic() + EVERY
            writer, collector = self._holder
            if not writer or collector.rev == self._written or not collector.series:
                return
            try:
                rev, fresh = collector.rev, not writer.id
                writer.write(collector.data(), collector.earlier)
                self._written = rev
                if fresh:
                    collector.rev += 1  # the run has just got its number
                    here = {run["id"] for run in self._others}
                    found = [
                        o for o in writer.earlier_runs(OTHERS) if o["id"] not in here
                    ]
                    self._others = [*self._others, *found][:OTHERS]
            except Exception as error:  # noqa: BLE001 (a failing disk is a remark)
                collector.remark(f"the run is not saved: {error}")
                self._next_save = time.monotonic() + 10 * EVERY

    # ---- overridden methods of View

    def _fetch(self, current: bool) -> dict[str, Any]:
        writer = self._holder[0]
        run = {"id": writer.id if writer else 0, "name": self._name}
        mine = {"run": run | {"settings": self._text}, "others": list(self._others)}
        return self._recorder.series() | mine

    def _revision(self) -> Any:
        return self._recorder.name, self._recorder.rev, len(self._others)

    def _json_size(self) -> int:
        runs = (self.data, *self.data["others"])
        return 500 + sum(14 * len(s["steps"]) for run in runs for s in run["series"])

    def tick(self) -> int:
        """Send new data and store them; called by the refresher."""
        if not self.frozen and time.monotonic() >= self._next_save:
            self.save()
        return super().tick()

    def _stop(self, status: str) -> None:
        super()._stop(status)
        self.save()

    def cell_ended(self) -> None:
        """Store the run after a cell, then do what every view does."""
        if cells.error is not None:
            self.end_by(cells.error)
        elif self.looping:  # the loop was left; its generator is still alive
            self.end("stopped")
        else:
            self.end("ended")  # there was no tracked loop
        self.save()
        super().cell_ended()

    def picture(self, note: str = "") -> Picture:
        """The still picture as shapes."""
        return draw_run(self.data, note)

    def text(self) -> str:
        """Progress, metrics and alerts, one per line."""
        return "\n".join(map(printable, run_text(self.refresh())))


def _chosen(store: RunStore | bool | None) -> RunStore | None:
    if isinstance(store, RunStore):
        return store
    return None if store is False else RunStore()


def _thinned(series: dict[str, Any]) -> dict[str, Any]:
    every = max(1, -(-len(series["steps"]) // SAVED_VALUES))
    kept = {key: series[key][::every] for key in ("steps", "values")}
    return series | kept | {"stride": series["stride"] * every}


def _is_alert(alert: Any) -> bool:
    kinds = {"step": int, "metric": str, "kind": str, "rule": str}
    return isinstance(alert, dict) and all(
        isinstance(alert.get(key), kind) for key, kind in kinds.items()
    )


def _write_last(holder: list[Any], process: int) -> None:
    """Store the end of a run whose view is deleted or whose program ends."""
    writer, collector = holder
    if os.getpid() != process:  # a forked child ends; training continues in the parent
        return
    if writer and collector.series:
        error = _error_of_the_program()
        if error is None:
            collector.end("ended")
        else:
            collector.end_by(error)
        try:
            writer.write(collector.data(), collector.earlier)
        except Exception:  # noqa: BLE001 (there is nobody to report it to)
            return


def _one_line(value: Any) -> str:
    return clip(" ".join(str(value).split()), 60)


def _error_of_the_program() -> BaseException | None:
    """The exception that ends this program; None without one, and in a shell."""
    if hasattr(sys, "ps1") or current_shell() is not None:
        return None
    return getattr(sys, "last_value", None)
