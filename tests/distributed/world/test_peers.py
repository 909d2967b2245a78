"""What ranks know about each other, with a coordinator and no MPI."""

from __future__ import annotations

import socket
import time
from datetime import timedelta

import pytest

from edutorch.distributed.world.coordinator import SILENCE, start_coordinator
from edutorch.distributed.world.peers import Peers


@pytest.fixture
def pair():
    port = start_coordinator("127.0.0.1", 2, "")
    made = [Peers("127.0.0.1", port, r, lambda r=r: f"work {r}") for r in (0, 1)]
    yield made
    for peers in made:
        peers.leave()
        peers.close()


def until(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_peers_answer_what_they_are_doing(pair):
    one, two = pair
    until(lambda: one.ask([0, 1]) == {1: "work 1"})
    assert two.problem([0, 1]) is None


def test_peers_hear_why_another_one_has_failed(pair):
    one, two = pair
    two.fail("ValueError: no")
    until(lambda: one.problem([0, 1]) is not None)
    assert one.problem([1]) == "rank 1 failed: ValueError: no"
    assert one.problem([0]) is None


def test_peers_hear_of_one_that_is_gone(pair):
    one, two = pair
    two.close()
    until(lambda: one.problem([1]) is not None)
    assert one.problem([1]) == "rank 1 has died"


def test_peers_without_a_coordinator_know_that(pair):
    one, _ = pair
    one.close()
    until(lambda: one.ended)
    assert one.problem([1]) == "the coordinator of the ranks has gone"


def test_peers_wait_until_all_are_there(pair):
    one, two = pair
    soon, later = timedelta(seconds=0.1), timedelta(seconds=20)
    assert one.wait_for_all([0, 1], soon) == "they had 0.1 s"
    assert two.wait_for_all([0, 1], later) is None
    assert one.wait_for_all([0, 1], later) is None


def test_peers_do_not_wait_for_one_that_will_not_come(pair):
    one, two = pair
    later = timedelta(seconds=20)
    assert one.wait_for_all([0, 1], later, lambda: "rank 1 failed") == "rank 1 failed"
    two.close()
    assert one.wait_for_all([0, 1], later) == "rank 1 has died"


def test_connections_of_peers_end_when_the_network_has_gone(pair):
    for peers in pair:
        assert peers._connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            wait = peers._connection.getsockopt(
                socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT
            )
            assert wait == SILENCE * 1000
