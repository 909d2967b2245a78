"""Bytes over time, thinned out without losing peaks."""

from __future__ import annotations

from edutorch.inspect.memory_timeline import Timeline


def test_timeline_when_full_merges_pairs_and_keeps_the_peak():
    line = Timeline(size=8)
    for k in range(1000):
        nbytes = 99 if k == 637 else 1
        line.add(k * 10**7, nbytes, [nbytes])
    times, rows = line.samples()
    assert len(times) <= 16
    assert max(row[0] for row in rows) == 99
    assert times == sorted(times)


def test_timeline_when_memory_comes_and_goes_keeps_both_ends():
    line = Timeline(size=8)
    for k in range(60):
        line.add(k * 10**6, 5 + 4 * (k % 2), [5 + 4 * (k % 2)])
    assert {row[0] for row in line.samples()[1]} == {5, 9}
    for k in range(60, 1000):
        line.add(k * 10**6, 5 + 4 * (k % 2), [5 + 4 * (k % 2)])
    assert {row[0] for row in line.samples()[1]} == {9}  # stretches are long now


def test_timeline_when_nothing_happens_for_long_shows_what_is_left():
    line = Timeline()
    for ns, nbytes in ((0, 1), (10, 9), (20, 4), (5 * 10**9, 6)):
        line.add(ns, nbytes, [nbytes])
    times, rows = line.samples()
    assert [row[0] for row in rows] == [1, 9, 4, 6]
    assert times == sorted(times)
    assert times == [0, 10, 20, 5 * 10**9]


def test_timeline_when_busy_shows_the_envelope_only():
    line = Timeline(size=8)
    for k in range(4000):
        line.add(k * 10**7, 1 + k % 3, [1 + k % 3])
    rows = [row[0] for row in line.samples()[1]]
    assert set(rows[:-1]) == {3}


def test_timeline_when_thinned_shows_true_moments_only():
    line, true = Timeline(size=8), {}
    for k in range(3000):
        ns, nbytes = k * 10**6 + (k > 2000) * 10**10, k * 7919 % 101
        true[ns] = [nbytes]
        line.add(ns, nbytes, [nbytes])
    times, rows = line.samples()
    assert [true[ns] for ns in times] == rows
    assert len(times) <= 24


def test_timeline_when_full_after_a_pause_leaves_what_was_before_as_it_was():
    line = Timeline(size=4)
    line.add(0, 1, [1])
    for k in range(20):
        line.add(20 * 10**9 + k * 2_000_000, 100 + k, [100 + k])
    times, rows = line.samples()
    assert (times[0], rows[0]) == (0, [1])
    assert times[1] >= 20 * 10**9
