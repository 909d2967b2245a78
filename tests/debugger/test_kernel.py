"""Breakpoints in the library, reached from a notebook's cell."""

from __future__ import annotations

import os
import time

import pytest

pytest.importorskip("debugpy", reason="needs debugpy")
pytest.importorskip("ipykernel", reason="needs ipykernel")
manager = pytest.importorskip("jupyter_client.manager", reason="needs jupyter_client")

from pathlib import Path

from edutorch.ops.matmul.matrix_products import Mm
from tests.debugger.dap import TIMEOUT, line_of

CELL = """
import edutorch as torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
(x @ x).sum().backward()
print(x.grad.tolist())
"""


class Kernel:
    """A notebook kernel with JupyterLab's debugger attached."""

    def __init__(self) -> None:
        root = Path(__file__).resolve().parents[2]
        env = {
            **os.environ, "PYTHONPATH": str(root), "PYDEVD_DISABLE_FILE_VALIDATION": "1"
        }  # fmt: skip
        self.manager, self.client = manager.start_new_kernel(env=env)
        self.seq = 0
        self.debug("initialize", clientID="tests", pathFormat="path", linesStartAt1=True,
                   columnsStartAt1=True, adapterID="", supportsVariableType=True)  # fmt: skip
        self.debug("attach")

    def debug(self, command: str, **arguments) -> dict:
        """A request of the debugger over the control channel."""
        self.seq += 1
        content = {
            "type": "request", "seq": self.seq, "command": command, "arguments": arguments
        }  # fmt: skip
        message = self.client.session.msg("debug_request", content)
        self.client.control_channel.send(message)
        while True:
            reply = self.client.control_channel.get_msg(timeout=TIMEOUT)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                assert reply["content"].get("success", True), reply["content"]
                return reply["content"].get("body") or {}

    def until(self, kind: str, wanted) -> dict:
        """The next message of a kind that is wanted, from the output channel."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            message = self.client.get_iopub_msg(timeout=TIMEOUT)
            if message["msg_type"] == kind and wanted(message["content"]):
                return message["content"]
        raise AssertionError(f"no {kind}")


@pytest.fixture
def kernel():
    started = Kernel()
    yield started
    started.client.stop_channels()
    started.manager.shutdown_kernel(now=True)


def test_breakpoint_in_a_backward_is_hit_from_a_cell(kernel):
    path, line = line_of(Mm.backward, "a, b = self.inputs")
    reply = kernel.debug("setBreakpoints", source={"path": path}, breakpoints=[{"line": line}],
                         sourceModified=False)  # fmt: skip
    assert reply["breakpoints"][0]["verified"]
    kernel.debug("configurationDone")
    kernel.client.execute(CELL)
    stopped = kernel.until("debug_event", lambda c: c.get("event") == "stopped")["body"]
    frames = kernel.debug("stackTrace", threadId=stopped["threadId"])["stackFrames"]
    assert frames[0]["name"].endswith("backward") and frames[0]["line"] == line
    scope = kernel.debug("scopes", frameId=frames[0]["id"])["scopes"][0]
    shown = kernel.debug("variables", variablesReference=scope["variablesReference"])
    values = {v["name"]: v["value"] for v in shown["variables"]}
    assert "array([[1." in values["g"]
    kernel.debug("continue", threadId=stopped["threadId"])
    printed = kernel.until("stream", lambda c: c.get("name") == "stdout")
    assert "[[7.0, 11.0], [9.0, 13.0]]" in printed["text"]
