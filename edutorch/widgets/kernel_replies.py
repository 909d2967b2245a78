"""Answers a page that is reloaded while a cell is paused.

JupyterLab's requests for kernel information and widgets, and messages to widgets, wait
in the same queue as cells. So the buttons of a reloaded page would not work while a
cell is paused, waiting for a click. During a pause, these messages are therefore
answered on the thread that receives them. This relies on internals of IPython's kernel;
without them, nothing is done.
"""

from __future__ import annotations

import inspect
from typing import Any

from .notebook import current_shell

__all__ = ["KernelReplies"]

REQUESTS = ("kernel_info_request", "comm_info_request")
COMM_MESSAGES = ("comm_open", "comm_msg", "comm_close")
NEEDED = (
    "_publish_status",
    "_shell_parent",
    "comm_manager",
    "shell_channel_thread_main",
    "shell_handlers",
    "shell_stream",
)


class KernelReplies:
    """Answers JupyterLab in place of the kernel between `begin` and `end`."""

    def __init__(self) -> None:
        self._kernel: Any = None

    def begin(self) -> None:
        """Start answering."""
        kernel = getattr(current_shell(), "kernel", None)
        if all(hasattr(kernel, name) for name in NEEDED):
            self._kernel = kernel
            self._receive_by(self._receive)

    def end(self) -> None:
        """Stop answering; the kernel answers again."""
        if self._kernel is not None:
            self._receive_by(self._kernel.shell_channel_thread_main)
            self._kernel = None

    def _receive_by(self, receiver: Any) -> None:
        """Pass each message to this function, on the thread that receives messages."""
        kernel = self._kernel
        thread = getattr(kernel, "shell_channel_thread", None)
        if thread is not None:
            loop = thread.io_loop
            loop.add_callback(kernel.shell_stream.on_recv, receiver, copy=False)

    async def _receive(self, message: list[Any]) -> None:
        kernel = current_shell().kernel
        idents, parts = kernel.session.feed_identities(message, copy=False)
        peeked = kernel.session.deserialize(parts, content=False, copy=False)
        if not _would_wait(kernel, peeked):
            await kernel.shell_channel_thread_main(message)
            return
        await _answer(kernel, idents, kernel.session.deserialize(parts, copy=False))


def _would_wait(kernel: Any, message: dict[str, Any]) -> bool:
    """Whether a message would wait for the paused thread."""
    kind, subshell = message["msg_type"], message["header"].get("subshell_id")
    if kind in REQUESTS:
        return subshell is None
    if kind not in COMM_MESSAGES:
        return False
    ident = kernel.session.unpack(message["content"]).get("comm_id")
    comm = kernel.comm_manager.comms.get(ident)
    return getattr(comm, "_reply_subshell_id", subshell) is None


async def _answer(kernel: Any, idents: Any, message: dict[str, Any]) -> None:
    """Answer as the kernel does: busy, reply, idle."""
    kernel._shell_parent.set(message)  # the running cell keeps its own
    kernel._publish_status("busy", "shell", parent=message)
    handler = kernel.shell_handlers[message["msg_type"]]
    reply = handler(kernel.shell_stream, idents, message)
    if inspect.isawaitable(reply):
        await reply
    kernel._publish_status("idle", "shell", parent=message)
