"""Steps taken by all ranks, which fail on all of them or on none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..collectives.objects import all_gather_object
from ..groups.group_registry import default_group, is_initialized, resolve_group
from ..groups.process_group import ProcessGroup

__all__ = ["CheckpointException", "Ranks"]

T = TypeVar("T")


class CheckpointException(RuntimeError):  # noqa: N818 (PyTorch's name)
    """The errors of ranks while saving or loading a checkpoint.

    Attributes:
        failures: the messages, by rank in the group.
    """

    def __init__(self, what: str, failures: dict[int, str]) -> None:
        lines = [f"rank {rank}: {text}" for rank, text in failures.items()]
        super().__init__(
            f"{what} failed on ranks {list(failures)}\n" + "\n".join(lines)
        )
        self.failures = failures


class Ranks:
    """The ranks that save or load a checkpoint; without a group, only this one.

    Example:
        >>> ranks = Ranks(alone=True)
        >>> ranks.run_on_all("counting", lambda: 3)
        [3]
    """

    def __init__(self, group: Any = None, alone: bool = False) -> None:
        self.group: ProcessGroup | None = None
        if not alone and (group is not None or is_initialized()):
            self.group = resolve_group(group) or default_group()
        self.rank = 0 if self.group is None else self.group.rank()
        self.size = 1 if self.group is None else self.group.size()

    def run_on_all(self, what: str, step: Callable[[], T]) -> list[T]:
        """Run a step on every rank; returns the results of all ranks, on all.

        Raises:
            CheckpointException: on all ranks, if it fails on one.
        """
        mine: tuple[str | None, Any] = (None, None)
        try:
            mine = (None, step())
        except Exception as error:  # noqa: BLE001 (all ranks raise it)
            mine = (f"{type(error).__name__}: {error}", None)
        answers: list[Any] = [mine] * self.size
        if self.group is not None:
            all_gather_object(answers, mine, self.group)
        failures = {r: text for r, (text, _) in enumerate(answers) if text is not None}
        if failures:
            raise CheckpointException(what, failures)
        return [value for _, value in answers]

    def run_on_rank_zero(self, what: str, step: Callable[[], T]) -> T:
        """Run a step on rank 0; returns its result, on all ranks.

        Raises:
            CheckpointException: on all ranks, if it fails.
        """
        answers = self.run_on_all(what, lambda: [step()] if self.rank == 0 else [])
        return answers[0][0]
