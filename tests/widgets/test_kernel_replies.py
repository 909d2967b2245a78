"""Messages that a held cell must not keep waiting; `tests/browser` loads a page anew."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from types import SimpleNamespace

import pytest

from edutorch.widgets import kernel_replies as module
from edutorch.widgets.kernel_replies import KernelReplies


class Session:
    """Messages are their own envelopes."""

    def feed_identities(self, message, copy):
        return [b"page"], message

    def deserialize(self, parts, content=True, copy=True):
        return parts[0]

    def unpack(self, content):
        return content


class Kernel:
    """As much of IPython's kernel as is needed."""

    def __init__(self):
        self.session = Session()
        self.heard, self.status, self.receivers = [], [], []
        self._shell_parent = ContextVar("parent")
        comms = {
            "mine": SimpleNamespace(_reply_subshell_id=None),
            "theirs": SimpleNamespace(_reply_subshell_id="b"),
        }
        self.comm_manager = SimpleNamespace(comms=comms)
        self.shell_handlers = dict.fromkeys(
            ("kernel_info_request", "comm_info_request", "comm_msg", "comm_open"),
            self.handle,
        )
        self.shell_stream = SimpleNamespace(on_recv=self.on_recv)
        loop = SimpleNamespace(add_callback=lambda f, *a, **k: f(*a, **k))
        self.shell_channel_thread = SimpleNamespace(io_loop=loop)

    def on_recv(self, receiver, copy):
        self.receivers.append(receiver)

    def handle(self, stream, idents, message):
        self.heard.append(message["msg_type"])

    def _publish_status(self, status, channel, parent):
        self.status.append(status)

    async def shell_channel_thread_main(self, message):
        self.heard.append("queued " + message[0]["msg_type"])


@pytest.fixture
def kernel(monkeypatch):
    kernel = Kernel()
    shell = SimpleNamespace(kernel=kernel)
    monkeypatch.setattr(module, "current_shell", lambda: shell)
    return kernel


def message(kind, subshell=None, comm=""):
    header = {"subshell_id": subshell}
    return [{"msg_type": kind, "header": header, "content": {"comm_id": comm}}]


@pytest.mark.parametrize(
    ("given", "answered"),
    [
        (message("kernel_info_request"), True),
        (message("comm_info_request"), True),
        (message("comm_info_request", "a"), False),
        (message("execute_request"), False),
        (message("comm_open", None, "new"), True),
        (message("comm_open", "a", "new"), False),
        (message("comm_msg", "a", "mine"), True),
        (message("comm_msg", None, "theirs"), False),
    ],
)
def test_answers_when_a_message_would_wait_handles_it_at_once(kernel, given, answered):
    replies = KernelReplies()
    replies.begin()
    asyncio.run(kernel.receivers[-1](given))
    kind = given[0]["msg_type"]
    assert kernel.heard == [kind if answered else f"queued {kind}"]
    assert kernel.status == (["busy", "idle"] if answered else [])


def test_answers_when_the_pause_is_over_leaves_messages_to_the_kernel(kernel):
    replies = KernelReplies()
    replies.begin()
    replies.end()
    assert kernel.receivers[-1] == kernel.shell_channel_thread_main
    replies.end()
    assert len(kernel.receivers) == 2


def test_answers_when_there_is_no_such_kernel_do_nothing(monkeypatch):
    for shell in (None, SimpleNamespace(kernel=SimpleNamespace())):
        monkeypatch.setattr(module, "current_shell", lambda shell=shell: shell)
        replies = KernelReplies()
        replies.begin()
        replies.end()
