"""Interrupts work with Ctrl-C at a given moment."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any


def interrupt(work: Callable[[], Any], delay: float) -> None:
    """Run `work` repeatedly until Ctrl-C interrupts it after about `delay` seconds."""
    arrived = threading.Event()

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
    except KeyboardInterrupt:
        arrived.set()
    while sender.is_alive():
        try:
            arrived.set()
            sender.join()
        except KeyboardInterrupt:  # sent before the first one arrived
            continue
