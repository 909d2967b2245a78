"""Numbers and names as text."""

from __future__ import annotations

import math

import pytest

from edutorch.widgets import format as f


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.0, "0"),
        (1.0, "1"),
        (0.0123456, "0.0123"),
        (0.0009999, "0.001"),
        (99999.0, "1.00e+05"),
        (100000.0, "1.00e+05"),
        (-3.14159, "-3.14"),
        (1.125, "1.13"),  # halves go up, as in the page
        (-2.125, "-2.13"),
        (2**-13 + 2**-14, "1.83e-04"),
        (1e-9, "1.00e-09"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
    ],
)
def test_number_when_given_any_size_has_three_digits(value, text):
    assert f.number(value) == text


@pytest.mark.parametrize(
    ("nbytes", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KB"), (150 * 1024, "150 KB"),
     (3 * 2**30, "3.0 GB"), (None, "–"), (-2048, "-2.0 KB"),
     (614_912, "601 KB"), (1280, "1.3 KB"), (-1280, "-1.3 KB"), (math.inf, "inf TB")],
)  # fmt: skip
def test_size_text_when_given_bytes_counts_by_1024(nbytes, text):
    assert f.size_text(nbytes) == text


def test_duration_when_long_changes_its_unit():
    assert [f.duration(x) for x in (12.0, 1500.0, 2.5e6, None)] == [
        "12 µs",
        "1.5 ms",
        "2.5 s",
        "–",
    ]


def test_shape_text_when_without_dimensions_is_scalar():
    assert f.shape_text([]) == "scalar"
    assert f.shape_text([64, 1]) == "64×1"


def test_module_title_when_called_again_has_a_number():
    assert f.module_title("a.b", "", 1) == "(b)"
    assert f.module_title("a.b", "ReLU", 3) == "(b): ReLU #3"


def test_repeat_title_when_one_module_repeats_names_it_once():
    assert f.repeat_title(["cell", "cell", "cell"], "RNN") == "(cell): RNN ×3"


def test_clip_when_letters_are_wide_counts_columns():
    assert f.columns("日本") == 4
    assert f.clip("日本語", 5) == "日本…"
    assert f.clip("short", 5) == "short"


def test_short_file_when_given_either_slash_keeps_two_names():
    assert f.short_file("C:\\work\\a.py") == "work/a.py"
