"""The end of a training step, if several optimizers alternate."""

from __future__ import annotations

import threading
from typing import Any
from weakref import WeakSet

from .. import events, op_events

__all__ = ["StepCounter", "counter", "device_of", "end_turn"]


class StepCounter:
    """Determines whether an optimizer's step ends a training step.

    It does when each optimizer of the program has stepped: those that stepped in the
    last training step, and new ones, which are expected to step soon. If one steps a
    second time, no other is waiting, and a training step has ended before. So there are
    as many training steps as steps of the optimizer that steps most often.

    Attributes:
        alone: the `id` of the only optimizer; it needs no bookkeeping.

    Example:
        >>> class Turn: ...
        >>> of_critic, of_generator, counter = Turn(), Turn(), StepCounter()
        >>> counter.created(of_critic), counter.created(of_generator)
        (None, None)
        >>> [counter.stepped(x) for x in (of_critic, of_generator) * 2]
        [0, 1, 0, 1]
    """

    def __init__(self) -> None:
        self.alone = 0
        self._expected: WeakSet[Any] = WeakSet()
        self._seen: WeakSet[Any] = WeakSet()  # have stepped in this training step
        self._making = True  # no optimizer has stepped since one was made
        self._lock = threading.Lock()

    def created(self, optimizer: Any) -> None:
        """An optimizer was created: another training run may begin."""
        with self._lock:
            if not self._making:
                self._expected, self._seen = WeakSet(), WeakSet()
            self._expected.add(optimizer)
            self._making, self.alone = True, 0

    def optimizers(self) -> list[Any]:
        """The optimizers that have stepped recently, or are expected to."""
        with self._lock:
            return list({id(o): o for o in (*self._expected, *self._seen)}.values())

    def stepped(self, optimizer: Any) -> int:
        """An optimizer has stepped; returns how many training steps have ended."""
        if self.alone == id(optimizer):
            return 1
        with self._lock:
            return self._turn(optimizer)

    def _turn(self, optimizer: Any) -> int:
        ended, self._making = 0, False
        if optimizer in self._seen:  # the others did not step
            ended, self._expected, self._seen = 1, self._seen, WeakSet()
        self._expected.add(optimizer)
        self._seen.add(optimizer)
        self.alone = 0
        if len(self._seen) == len(self._expected):
            ended, self._seen = ended + 1, WeakSet()
            self.alone = id(optimizer) if len(self._expected) == 1 else 0
        return ended


counter = StepCounter()


def end_turn(optimizer: Any) -> None:
    """Report that an optimizer has stepped, and the training steps that ended."""
    ended = counter.stepped(optimizer)
    for _ in range(ended - 1):  # before this step
        events.next_step()
    if events.wants("optim"):
        groups = optimizer.param_groups
        parameters = [p for group in groups for p in group["params"]]
        op_events.announce_optimizer(type(optimizer).__name__, parameters)
    if ended:
        events.next_step()


def device_of(optimizer: Any) -> str:
    """The device of all parameters, or "" if they lie on several."""
    found = None
    for group in optimizer.param_groups:
        for p in group["params"]:
            if found is None:
                found = p._device
            elif p._device is not found and p._device != found:
                return ""
    return "" if found is None else str(found)
