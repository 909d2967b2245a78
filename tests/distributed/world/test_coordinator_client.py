"""Ranks exchange information through a coordinator, without MPI."""

from __future__ import annotations

import socket
import time
from datetime import timedelta

import pytest

from edutorch.distributed.world.coordinator import KEEPALIVE_SECONDS, start_coordinator
from edutorch.distributed.world.coordinator_client import CoordinatorClient


@pytest.fixture
def pair():
    port = start_coordinator("127.0.0.1", 2, "")
    made = [
        CoordinatorClient("127.0.0.1", port, r, lambda r=r: f"work {r}") for r in (0, 1)
    ]
    yield made
    for client in made:
        client.announce_exit()
        client.close()


def until(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_ranks_answer_what_they_are_doing(pair):
    one, two = pair
    until(lambda: one.query_status([0, 1]) == {1: "work 1"})
    assert two.find_failure([0, 1]) is None


def test_ranks_hear_why_another_one_has_failed(pair):
    one, two = pair
    two.announce_failure("ValueError: no")
    until(lambda: one.find_failure([0, 1]) is not None)
    assert one.find_failure([1]) == "rank 1 failed: ValueError: no"
    assert one.find_failure([0]) is None


def test_ranks_hear_of_one_that_is_gone(pair):
    one, two = pair
    two.close()
    until(lambda: one.find_failure([1]) is not None)
    assert one.find_failure([1]) == "rank 1 has died"


def test_ranks_without_a_coordinator_know_that(pair):
    one, _ = pair
    one.close()
    until(lambda: one.disconnected)
    assert one.find_failure([1]) == "the coordinator of the ranks has gone"


def test_ranks_wait_until_all_are_there(pair):
    one, two = pair
    soon, later = timedelta(seconds=0.1), timedelta(seconds=20)
    assert one.barrier([0, 1], soon) == "timed out after 0.1 s"
    assert two.barrier([0, 1], later) is None
    assert one.barrier([0, 1], later) is None


def test_rank_that_is_not_there_is_named_when_time_is_over(pair):
    one, _ = pair
    soon = timedelta(seconds=0.1)
    expected = "timed out after 0.1 s. Ranks that had not come: 2, 4"
    assert one.barrier([0, 1, 2, 4], soon) == expected


def test_ranks_do_not_wait_for_one_that_will_not_come(pair):
    one, two = pair
    later = timedelta(seconds=20)
    assert one.barrier([0, 1], later, lambda: "rank 1 failed") == "rank 1 failed"
    two.close()
    assert one.barrier([0, 1], later) == "rank 1 has died"


def test_connections_of_ranks_end_when_the_network_has_gone(pair):
    for client in pair:
        assert (
            client._connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        )
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            wait = client._connection.getsockopt(
                socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT
            )
            assert wait == KEEPALIVE_SECONDS * 1000
