"""Messages from one rank to another."""

from __future__ import annotations

import numpy as np

from tests.distributed.collectives.test_data_movement import own, values
from tests.distributed.launching import needs_mpi

pytestmark = needs_mpi


def test_messages_go_round_in_a_ring(collected):
    size = len(collected)
    for name, add in (("isend irecv", 0), ("batch_isend_irecv", 5)):
        for rank, got in enumerate(values(collected, name)):
            assert np.array_equal(got, own((rank - 1) % size, 3, add=add))


def test_message_from_any_rank_says_who_has_sent_it(collected):
    assert collected[1]["recv from"] == 0
    assert collected[1]["send recv"] == ["torch.int64", own(0, 2).tolist()]
