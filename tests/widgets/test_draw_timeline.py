"""The still picture and the text of a timeline."""

from __future__ import annotations

import edutorch as torch
from edutorch.inspect import TimelineRecorder
from edutorch.widgets.draw_timeline import (
    draw_timeline,
    notes,
    timeline_text,
    timeline_title,
)
from edutorch.widgets.format import percent
from edutorch.widgets.timeline_totals import totals
from tests.inspect.models import TRAININGS


def recorded(name="cnn", steps=4):
    training = TRAININGS[name]()
    training.step()
    with TimelineRecorder() as recorder:
        for _ in range(steps):
            training.step()
    return recorder.series()


def test_title_tells_the_share_of_operations():
    data = recorded()
    rows = totals(data, "op")
    (outside,) = [row.own for row in rows if row.name == "outside operations"]
    share = percent(1 - outside / data["total"])
    assert f"{share} of it in operations" in timeline_title(data)
    assert timeline_title(data).startswith("Timeline: 4 steps in ")


def test_picture_draws_the_last_whole_step_to_scale():
    data = recorded()
    texts = [s["text"] for kind, s in draw_timeline(data).shapes if kind == "text"]
    assert "step 3" in texts
    boxes = [s for kind, s in draw_timeline(data).shapes if kind == "rect"][1:]
    step, inner = boxes[0], boxes[1:]
    bars = data["bars"]
    last = max(i for i, kind in enumerate(bars["kind"]) if kind == 0)
    scale = step["w"] / bars["dur"][last]
    modules = [i for i, kind in enumerate(bars["kind"]) if kind == 1 and i > last]
    outer = next(s for s in inner if s["fill"] == "#eef0fa")
    assert abs(outer["w"] - bars["dur"][modules[0]] * scale) < 1.5


def test_text_lists_sums_by_op_module_and_line():
    text = timeline_text(recorded())
    for words in ("by operation:", "by module:", "by line:", "conv2d", "0: Conv2d"):
        assert words in text


def test_notes_tell_what_was_dropped():
    assert notes(recorded("mlp")) == []
    training = TRAININGS["mlp"]()
    with TimelineRecorder(steps=2) as recorder:
        for _ in range(3):
            training.step()
    assert notes(recorder.series()) == ["1 older step dropped"]


def test_picture_of_nothing_says_so():
    data = TimelineRecorder().series()
    texts = [s["text"] for kind, s in draw_timeline(data).shapes if kind == "text"]
    assert texts[0] == "Timeline: nothing recorded yet"


def test_picture_of_nested_calls_stays_low():
    with TimelineRecorder() as recorder:
        blocks = [torch.profiler.record_function(f"b{i}") for i in range(60)]
        for block in blocks:
            block.__enter__()
        torch.ones(2).exp()
        for block in reversed(blocks):
            block.__exit__(None, None, None)
    assert draw_timeline(recorder.series()).height < 700


def test_scale_of_a_picture_has_round_times():
    data = recorded("mlp")
    texts = [s["text"] for kind, s in draw_timeline(data).shapes if kind == "text"]
    at = texts.index("all steps, time by operation")
    numbers = [text.partition(" ")[0] for text in texts[:at] if text.endswith("s")]
    ticks = [float(n) for n in numbers if n.replace(".", "").isdigit()]
    assert ticks[0] == 0
    step = f"{ticks[1]:.0e}"
    assert step[0] in "125"
    assert all(abs(t - i * ticks[1]) < 1e-6 for i, t in enumerate(ticks))


def test_totals_of_a_picture_have_the_colours_of_the_bars():
    shapes = draw_timeline(recorded()).shapes
    fills = {s["fill"] for kind, s in shapes if kind == "rect" and s.get("h") == 11}
    assert len(fills) > 2  # outside operations, forward, backward
