"""Interrupts work with Ctrl-C at a given moment."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["before_an_end", "interrupt"]

ENDS = ("__exit__", "finish")  # of blocks; the latter is in `edutorch/interrupts.py`


def interrupt(work: Callable[[], Any], delay: float) -> bool:
    """Run `work` repeatedly until Ctrl-C interrupts it after about `delay` seconds.

    Returns:
        Whether it came `before_an_end`.
    """
    arrived = threading.Event()
    at_an_end = False

    def send() -> None:
        # Python ignores a Ctrl-C in a finaliser, and ending workers takes time on a
        # busy machine: it is sent again.
        wait = delay
        while not arrived.wait(wait):
            os.kill(os.getpid(), signal.SIGINT)
            wait = 10.0

    sender = threading.Thread(target=send)
    try:
        sender.start()
        while True:
            work()
    except KeyboardInterrupt as error:
        arrived.set()
        at_an_end = before_an_end(error)
    while sender.is_alive():
        try:
            arrived.set()
            sender.join()
        except KeyboardInterrupt:  # sent before the first one arrived
            continue
    return at_an_end


def before_an_end(error: KeyboardInterrupt) -> bool:
    """Whether Ctrl-C came before the first line of a function that ends a block.

    Python looks for it there, too: what is not restored then is not ours to restore.
    """
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    if at is None:
        return False
    code = at.tb_frame.f_code
    return code.co_name in ENDS and at.tb_lineno == code.co_firstlineno
