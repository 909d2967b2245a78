"""Messages of workers."""

from __future__ import annotations

import sys
import threading
from multiprocessing import Pipe

import numpy as np
import pytest

import edutorch
from edutorch.utils.data.messages import enlarge_pipe, pack_message, receive, send


def travelled(message):
    """A message after its way through a pipe."""
    ours, theirs = Pipe(duplex=False)
    thread = threading.Thread(target=send, args=(theirs, pack_message(message)))
    thread.start()
    try:
        return receive(ours)
    finally:
        thread.join(60)
        ours.close()
        theirs.close()


@pytest.mark.parametrize("dtype", ["float32", "bool", "int64", "bfloat16", "complex64"])
def test_tensors_arrive_as_they_were(dtype):
    x = edutorch.arange(6).reshape(2, 3).to(getattr(edutorch, dtype))
    found = travelled({"x": x, "transposed": x.t(), "part": x[:, ::2], "none": x[:0]})
    assert found["x"].equal(x)
    assert found["x"].dtype is x.dtype
    assert found["transposed"].equal(x.t())
    assert found["part"].equal(x[:, ::2])
    assert found["none"].shape == (0, 3)


def test_what_arrives_can_be_written_to():
    x, array = travelled((edutorch.zeros(3), np.zeros(3)))
    x += 1
    array += 1
    assert x.tolist() == array.tolist() == [1.0, 1.0, 1.0]


def test_large_messages_arrive_whole():
    x = edutorch.arange(1_000_000)  # more than a pipe holds
    assert travelled([x, "text", x])[2].equal(x)


def test_end_of_the_pipe_is_noticed_within_a_message():
    ours, theirs = Pipe(duplex=False)
    program, memory = pack_message(np.zeros(10))
    theirs.send((program, [m.nbytes for m in memory]))
    theirs.close()
    with pytest.raises(EOFError):
        receive(ours)


def test_what_cannot_be_sent_is_refused_before_it_is_sent():
    with pytest.raises(Exception, match="pickle|local object"):
        pack_message(lambda: 0)


def test_widened_pipe_holds_a_batch_before_anybody_reads():
    ours, theirs = Pipe(duplex=False)
    enlarge_pipe(ours)
    if sys.platform == "linux":
        send(theirs, pack_message(np.arange(50_000, dtype=np.float32)))
        assert receive(ours).sum() == sum(range(50_000))
    ours.close()
    theirs.close()
