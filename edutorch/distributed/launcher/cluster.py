"""Ranks for a notebook: ipyparallel starts them, `%%px` cells run on all of them."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Any

from ...extras import install_command

__all__ = ["cluster"]


class cluster:  # noqa: N801 (used like a function)
    """A block that starts ranks, and ends them when it ends.

    Inside the block (or after `start()`) cells that begin with `%%px` run on every
    rank, where `init_process_group()` needs no arguments: the ranks are one MPI world.

    Args:
        n: the number of ranks.
        progress: show a bar while they start.
        options: further arguments of `ipyparallel.Cluster`, such as launchers of other
            hosts.

    Attributes:
        view: ipyparallel's view of all ranks, once they have started: `view.execute`
            runs code on each, `view["x"]` is the list of their variables `x`.

    Raises:
        ModuleNotFoundError: from `start()`, without ipyparallel.

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.cluster(n=4).n
        4
    """

    def __init__(self, n: int = 2, *, progress: bool = True, **options: Any) -> None:
        self.n, self.progress, self.options = n, progress, options
        self.view: Any = None
        self._client: Any = None
        self._cluster: Any = None

    def start(self) -> cluster:
        """Start the ranks and connect to them."""
        try:
            import ipyparallel
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "cluster needs ipyparallel and MPI: "
                f"{install_command('distributed', 'cluster')}"
            ) from error
        here = os.path.dirname(sys.executable)  # noqa: PTH120 (of mpiexec, ipengine)
        before = os.environ.get("PATH", "")
        os.environ["PATH"] = os.pathsep.join([here, before])
        try:
            self._cluster = ipyparallel.Cluster(n=self.n, engines="mpi", **self.options)
            self._client = self._cluster.start_and_connect_sync(activate=True)
            self._client.wait_for_engines(
                self.n, interactive=self.progress, timeout=120
            )
            self.view = self._client[:]
            self.view.block = True
        except BaseException:
            self.stop()
            raise
        finally:
            os.environ["PATH"] = before
        return self

    def stop(self) -> None:
        """End the ranks."""
        if self._client is not None:
            self._client.close()
            self._client = self.view = None
        if self._cluster is not None:
            self._cluster.stop_cluster_sync()
            self._cluster = None

    def __enter__(self) -> cluster:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
