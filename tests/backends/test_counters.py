"""Counters of an allocator."""

from __future__ import annotations

from edutorch.backends.counters import MEASURES, POOLS, Counters


def test_counters_know_value_peak_and_totals_of_each_pool():
    counters = Counters()
    for change, small in ((5, True), (7, False), (-5, True)):
        counters.add("active_bytes", change, small)
    stats = counters.stats()["active_bytes"]
    assert stats["all"] == {"current": 7, "peak": 12, "allocated": 12, "freed": 5}
    assert stats["small_pool"] == {"current": 0, "peak": 5, "allocated": 5, "freed": 5}
    assert stats["large_pool"]["current"] == 7
    assert set(stats) == set(POOLS)


def test_peaks_and_totals_start_anew_apart():
    counters = Counters()
    counters.add("segment", 2, True)
    counters.add("segment", -1, True)
    counters.events["num_ooms"] = 3
    counters.reset_peaks()
    assert counters["segment"].peak == 1 and counters["segment"].allocated == 2
    counters.reset_totals()
    assert counters["segment"].allocated == 0 == counters.events["num_ooms"]
    assert counters["segment"].current == 1


def test_all_of_the_measures_are_told():
    stats = Counters().stats()
    assert set(MEASURES) < set(stats)
    assert stats["oversize_segments"]["peak"] == 0 and stats["max_split_size"] == -1
