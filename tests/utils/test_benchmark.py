"""Timing of statements: by a clock that only the statement moves."""

import pytest

import edutorch
from edutorch.utils.benchmark import Measurement, TaskSpec, Timer


class Clock:
    """A millisecond more each time it is told to tick."""

    def __init__(self):
        self.now, self.ticks = 0.0, 0

    def tick(self):
        self.now += 1e-3
        self.ticks += 1

    def timer(self, stmt="tick()", **options):
        names = {"tick": self.tick}
        return Timer(stmt, timer=lambda: self.now, globals=names, **options)


def measured(times, number=10, stmt="x + 1", setup="pass", **task):
    times = [t * number for t in times]
    return Measurement(number, times, TaskSpec(stmt, setup, **task))


def test_timeit_warms_up_then_measures_once():
    clock = Clock()
    m = clock.timer(label="ticks").timeit(1000)
    assert clock.ticks == 1010
    assert m.number_per_run == 1000
    assert m.median == m.mean == pytest.approx(1e-3)
    assert (m.label, m.title, m.iqr) == ("ticks", "ticks", 0)


def test_blocked_autorange_repeats_until_the_time_is_over():
    told = []
    m = Clock().timer().blocked_autorange(lambda *found: told.append(found), 0.05)
    assert m.number_per_run == 1
    assert len(m.times) in (50, 51)
    assert told[0] == (1, pytest.approx(1e-3))
    assert len(told) == len(m.times)


def test_blocked_autorange_takes_more_runs_of_what_is_short():
    m = Clock().timer().blocked_autorange(min_run_time=2.0)
    assert m.number_per_run == 10
    assert len(m.times) in (200, 201)


def test_adaptive_autorange_stops_when_times_agree():
    m = Clock().timer().adaptive_autorange()
    assert len(m.times) in (10, 11)
    assert m.meets_confidence()


def test_timer_knows_torch_and_keeps_the_number_of_threads():
    before = edutorch.get_num_threads()
    m = Timer("torch.ones(2)", num_threads=1).timeit(2)
    assert m.num_threads == 1
    assert edutorch.get_num_threads() == before


def test_timer_refuses_code_that_is_not_a_string():
    with pytest.raises(ValueError, match="Currently only a `str` stmt is supported"):
        Timer(lambda: None)
    with pytest.raises(ValueError, match="global_setup is C"):
        Timer(global_setup="int x;")


def test_statistics_equal_pytorchs():
    m = measured([1.0e-6, 1.1e-6, 1.2e-6, 1.3e-6, 5e-6])
    found = [m.median, m.mean, m.iqr]
    assert found == pytest.approx([1.2e-6, 1.92e-6, 2e-7])
    assert (m.significant_figures, m.has_warnings) == (1, True)
    assert not m.meets_confidence()
    assert measured([1.0, 1.0001, 1.0002, 1.0003]).significant_figures == 4
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        m.colour


def lines(m):
    return repr(m).splitlines()[1:]


def test_measurements_look_like_pytorchs():
    assert lines(measured([1.234567e-6])) == [
        "x + 1", "  1.23 us", "  1 measurement, 10 runs , 1 thread",
    ]  # fmt: skip
    assert lines(measured([1.0e-6, 1.1e-6, 1.2e-6, 1.3e-6, 5e-6])) == [
        "x + 1",
        "  Median: 1.20 us",
        "  IQR:    0.20 us (1.10 to 1.30)",
        "  5 measurements, 10 runs per measurement, 1 thread",
        "  WARNING: Interquartile range is 16.7% of the median measurement.",
        "           This could indicate system fluctuation.",
    ]
    m = measured([1e-3, 1e-2, 3e-2, 1e-1])
    assert (
        lines(m)[-1] == "           This suggests significant environmental influence."
    )


def test_titles_tell_statement_label_and_setup():
    m = measured(
        [2.0, 2.1, 2.2], 1, setup="y = 2", label="L", sub_label="S",
        description="D", num_threads=4,
    )  # fmt: skip
    assert lines(m)[:4] == ["L: S", "D", "setup: y = 2", "  Median: 2.10 s"]
    assert lines(m)[-1] == "  3 measurements, 1 runs per measurement, 4 threads"
    m = measured([2.0, 2.1], stmt="a\nb", setup="c\nd", sub_label="S")
    assert lines(m)[:7] == [
        "stmt: (S)", "  a", "  b", "setup:", "  c", "  d", "",
    ]  # fmt: skip
    assert m.as_row_name == "S"
