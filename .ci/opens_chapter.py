"""Start JupyterLab with a command and see that it opens the start page.

`python .ci/opens_chapter.py COMMAND...`: JupyterLab's flags for a port and a
token take the place of @ in the command, as words of their own or inside a
word (`LAB_FLAGS=@`). Checked: the server answers, the page it opens is
the start page, and that it can be read.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

SECONDS_TO_START = 900  # `make lab` installs first, beside other installations


def main(command: list[str]) -> None:
    """Start the server, ask it, end it."""
    port, token = free_port(), secrets.token_hex(8)
    flags = (
        "--no-browser --ServerApp.ip=127.0.0.1 --ServerApp.port_retries=0 "
        f"--ServerApp.port={port} --IdentityProvider.token={token}"
    )
    started = []
    for word in command:
        started += flags.split() if word == "@" else [word.replace("@", flags)]
    server = subprocess.Popen(started, start_new_session=True)
    try:
        base = f"http://127.0.0.1:{port}"
        wait_for(f"{base}/api/status?token={token}", server)
        page = first_page(f"{base}/?token={token}")
        print(f"first page: {page}")
        if not urllib.parse.unquote(page).partition("?")[0].endswith("/00-start.ipynb"):
            sys.exit("the first page is not the start page")
        chapter = page.partition("/tree/")[2].partition("?")[0]
        content = ask(f"{base}/api/contents/{chapter}?token={token}")
        print(f"cells: {len(content['content']['cells'])}")
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Until the server answers; an end of the server is an error."""
    limit = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < limit:
        if server.poll() is not None:
            sys.exit(f"the server ended with status {server.returncode}")
        try:
            ask(url)
        except OSError:
            time.sleep(0.3)
        else:
            return
    sys.exit("the server did not answer")


def ask(url: str) -> dict:
    """The JSON a server on this machine answers with."""
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


def first_page(url: str) -> str:
    """Where the server sends a browser that asks for its root."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.url


if __name__ == "__main__":
    main(sys.argv[1:])
