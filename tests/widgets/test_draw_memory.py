"""The still picture of memory."""

from __future__ import annotations

from edutorch.widgets.draw_memory import COLOURS, draw_memory
from edutorch.widgets.svg import text_width
from tests.widgets.samples import memory, memory_step, texts


def areas(picture):
    return {s["fill"]: s["points"] for kind, s in picture.shapes if kind == "polygon"}


def test_draw_memory_when_given_a_series_says_device_kind_and_peak():
    title = draw_memory(memory()).title
    assert title.startswith("Memory of cuda:0 (simulated GPU): ")
    assert "peak" in title
    assert "512 KB reserved" in title


def test_draw_memory_when_stacked_puts_each_area_on_the_one_before():
    drawn = areas(draw_memory(memory()))
    assert set(drawn) == set(COLOURS.values())
    top_of_first = min(y for _, y in drawn[COLOURS["parameter"]])
    assert min(y for _, y in drawn[COLOURS["optimizer"]]) < top_of_first


def test_draw_memory_when_a_limit_is_near_draws_it():
    assert "limit 512 KB" in texts(draw_memory(memory(limit=2**19)))
    far = texts(draw_memory(memory(limit=2**40)))
    assert not any(text.startswith("limit") for text in far)


def test_draw_memory_when_nothing_was_recorded_says_so():
    (text,) = texts(draw_memory(memory(samples=0, limit=None)))
    assert "nothing recorded yet" in text


def test_draw_memory_when_there_is_one_sample_is_drawn():
    assert areas(draw_memory(memory(samples=1)))


def test_draw_memory_when_a_step_is_known_draws_it_in_full():
    data = memory() | {"steps": [memory_step(3, "peak"), memory_step(7)]}
    picture = draw_memory(data)
    written = texts(picture)
    title = "Step 3 (peak): at most 205 KB, after 2.00 ms in backward"
    assert title in written
    assert [t for t in written if t in ("forward", "backward", "update")] == [
        "forward", "backward", "update"] * 2  # fmt: skip
    assert picture.height > draw_memory(memory()).height + 400


def test_draw_memory_when_something_was_marked_names_it_above_the_chart():
    data = memory()
    data["marks"].append({"t": data["t"][-1], "name": "out of memory: +4.00 MiB"})
    picture = draw_memory(data)
    (mark,) = [s for k, s in picture.shapes if k == "text" and "+4.00" in s["text"]]
    assert mark["x"] + 6 * len(mark["text"]) < picture.width


def test_draw_memory_when_a_mark_comes_after_the_last_sample_has_room_for_it():
    data = memory()
    data["marks"].append({"t": data["t"][-1] + 400.0, "name": "out of memory: +1 MiB"})
    picture = draw_memory(data)
    xs = [x for k, s in picture.shapes if k == "line" for x, _ in s["points"]]
    assert max(xs) <= picture.width


def test_draw_memory_when_the_note_is_long_stays_within_the_picture():
    note = "recorded · 1,291 of 14,450 steps were watched, the latest is step 14,447"
    picture = draw_memory(memory(), note)
    (caption,) = [s for kind, s in picture.shapes if kind == "text" and s["y"] == 22]
    assert 16 + text_width(caption["text"], caption["size"]) <= picture.width
    assert picture.title.endswith(f"({note})")
