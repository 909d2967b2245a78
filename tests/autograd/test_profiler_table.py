"""Numbers of tables as text."""

from __future__ import annotations

from edutorch.autograd.profiler_table import (
    format_memory,
    format_time,
    format_time_share,
)


def test_times_and_bytes_are_shown_in_suitable_units():
    assert format_time(2_500_000) == "2.500s"
    assert format_time(2_500_000, "ms") == "2500.000ms"
    assert format_time_share(0, 0) == "NaN"
    told = [format_memory(n) for n in (3 * 2**30, 2**21, -2048, 7)]
    assert told == ["3.00 GB", "2.00 MB", "-2.00 KB", "7 B"]
