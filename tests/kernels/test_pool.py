"""One pool of threads: everything is done once, errors arrive, nesting is serial."""

import os
import threading

import pytest

from edutorch.kernels import pool


@pytest.fixture
def three_threads(monkeypatch):
    monkeypatch.setattr(pool, "get_num_threads", lambda: 3)


def test_run_does_every_piece_once(three_threads):
    done = []
    pool.run(done.append, 100)
    assert sorted(done) == list(range(100))


def test_run_is_shared_with_other_threads(three_threads):
    met = threading.Barrier(3, timeout=20)
    pool.run(lambda i: met.wait(), 3)
    assert not met.broken


def test_run_raises_what_a_piece_raises(three_threads):
    def piece(i):
        if i == 5:
            raise ValueError("piece 5")

    with pytest.raises(ValueError, match="piece 5"):
        pool.run(piece, 20)
    test_run_does_every_piece_once(None)


def test_run_inside_the_pool_is_serial(three_threads):
    seen = []

    def outer(i):
        me = threading.get_ident()
        pool.run(lambda j: seen.append(threading.get_ident() == me), 4)

    pool.run(outer, 6)
    assert seen == [True] * 24


def test_in_blocks_covers_everything_in_order_of_size(three_threads):
    slices = []
    pool.in_blocks(slices.append, 21, 1e9)
    covered = sorted(i for s in slices for i in range(21)[s])
    assert covered == list(range(21))
    assert len(slices) > 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_run_in_a_forked_process_is_serial(three_threads):
    test_run_does_every_piece_once(None)
    child = os.fork()
    if not child:
        done = []
        pool.run(done.append, 10)
        os._exit(done != list(range(10)))
    assert os.waitpid(child, 0)[1] == 0
