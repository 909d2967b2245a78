"""Ports for servers that tests start."""

from __future__ import annotations

import random
import socket

__all__ = ["free_port"]

# Below the ports that systems give to connections and to servers without a number: what
# is free there is not given to another program before the test's server listens.
LOWEST, HIGHEST = 20_000, 32_000
_random = random.SystemRandom()  # no two test runs try the same


def free_port() -> int:
    """A port of this machine at which nobody listens."""
    while True:
        port = _random.randint(LOWEST, HIGHEST)
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:  # taken
            continue
