"""A small client of the Debug Adapter Protocol, in place of an IDE."""

from __future__ import annotations

import itertools
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.ports import free_port

__all__ = ["Adapter", "Session", "line_of"]

TIMEOUT = 60


class Adapter:
    """The wire: requests out, responses and events in."""

    def __init__(self, port: int) -> None:
        self.socket = self._connect(port)
        self.file = self.socket.makefile("rb")
        self.number = itertools.count(1)
        self.events: list[dict] = []

    def _connect(self, port: int) -> socket.socket:
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def _read(self) -> dict:
        length = 0
        while line := self.file.readline().strip():
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        return json.loads(self.file.read(length))

    def send(self, command: str, **arguments) -> int:
        """Send a request; returns its number."""
        number = next(self.number)
        message = {
            "seq": number, "type": "request", "command": command, "arguments": arguments
        }  # fmt: skip
        body = json.dumps(message).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return number

    def answer(self, number: int) -> dict:
        """The body of the response to a request."""
        while True:
            message = self._read()
            if message["type"] == "response" and message["request_seq"] == number:
                assert message["success"], message
                return message.get("body", {})
            self.events.append(message)

    def request(self, command: str, **arguments) -> dict:
        """Send a request and wait for its response."""
        return self.answer(self.send(command, **arguments))

    def event(self, name: str) -> dict:
        """The body of the next event of a name."""
        for message in self.events:
            if message.get("event") == name:
                self.events.remove(message)
                return message.get("body", {})
        while True:
            message = self._read()
            if message.get("event") == name:
                return message.get("body", {})
            self.events.append(message)


class Session:
    """A script under the debugger, with breakpoints in any files."""

    def __init__(self, script: Path, breakpoints: dict[str, list[int]]) -> None:
        port = free_port()
        command = [
            sys.executable, "-Xfrozen_modules=off", "-m", "debugpy", "--listen",
            f"127.0.0.1:{port}", "--wait-for-client", str(script),
        ]  # fmt: skip
        root = Path(__file__).resolve().parents[2]
        env = {
            **os.environ,
            "PYTHONPATH": str(root),
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        }
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=env,
        )
        self.adapter = Adapter(port)
        self._attach(breakpoints)

    def _attach(self, breakpoints: dict[str, list[int]]) -> None:
        request = self.adapter.request
        request("initialize", adapterID="tests", pathFormat="path", linesStartAt1=True)
        attached = self.adapter.send("attach", justMyCode=False)
        self.adapter.event("initialized")
        self.verified = []
        for path, lines in breakpoints.items():
            wanted = [{"line": line} for line in lines]
            reply = request("setBreakpoints", source={"path": path}, breakpoints=wanted)
            self.verified += [b["verified"] for b in reply["breakpoints"]]
        request("setExceptionBreakpoints", filters=[])
        request("configurationDone")
        self.adapter.answer(attached)

    def stop(self) -> list[dict]:
        """Wait until the program stops; returns its frames, innermost first."""
        self.stopped = self.adapter.event("stopped")
        reply = self.adapter.request("stackTrace", threadId=self.stopped["threadId"])
        return reply["stackFrames"]

    def script_frame(self, frames: list[dict]) -> dict:
        """The frame of the script's own lines."""
        return next(f for f in frames if f["name"] == "<module>")

    def locals(self, frame: dict) -> dict[str, str]:
        """The local variables of a frame, as the debugger shows them."""
        scope = self.adapter.request("scopes", frameId=frame["id"])["scopes"][0]
        reply = self.adapter.request(
            "variables", variablesReference=scope["variablesReference"]
        )
        return {v["name"]: v["value"] for v in reply["variables"]}

    def evaluate(self, expression: str, frame: dict) -> str:
        """What an expression is in a frame."""
        reply = self.adapter.request(
            "evaluate", expression=expression, frameId=frame["id"], context="repl"
        )
        return reply["result"]

    def step(self, step_kind: str) -> list[dict]:
        """ "next", "stepIn" or "stepOut", and wait."""
        self.adapter.request(step_kind, threadId=self.stopped["threadId"])
        return self.stop()

    def go_on(self) -> None:
        """Continue."""
        self.adapter.request("continue", threadId=self.stopped["threadId"])

    def end(self) -> str:
        """Let the program end; returns what it printed."""
        self.adapter.event("terminated")
        self.adapter.send("disconnect")
        return self.process.communicate(timeout=TIMEOUT)[0]

    def kill(self) -> None:
        """End the program, whatever it does."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.adapter.file.close()
        self.adapter.socket.close()


def line_of(function, text: str) -> tuple[str, int]:
    """The file and the number of the line of a function that has `text`."""
    code = function.__code__
    lines = Path(code.co_filename).read_text().splitlines()
    for number in range(code.co_firstlineno, len(lines) + 1):
        if text in lines[number - 1]:
            return code.co_filename, number
    raise AssertionError(f"no {text!r} in {function}")
