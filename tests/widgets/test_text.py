"""The views as plain text."""

from __future__ import annotations

from edutorch.widgets.text import (
    gradients_text,
    graph_text,
    memory_text,
    sparkline,
)
from tests.widgets.samples import gradients, memory, memory_step
from tests.widgets.shared_fixtures import fixture


def test_graph_text_when_given_modules_indents_by_them():
    lines = graph_text(fixture("lenet")["data"]).splitlines()
    assert lines[0] == "Graph of 13 operations, step 12"
    assert lines[1] == "  (features): Sequential"
    assert lines[2] == "    (0): Conv2d"
    assert lines[3].startswith("      op3 = conv2d(images, features.0.weight, ")
    assert lines[3].endswith("[me/train.py:13]")


def test_graph_text_when_backward_has_not_been_says_not_computed():
    data = fixture("scalars")["data"]
    for node in data["nodes"]:
        node["grad"] = None
    assert "gradient not computed yet" in graph_text(data)


def test_graph_text_when_values_are_not_finite_counts_them():
    data = fixture("scalars")["data"]
    data["nodes"][2]["stats"]["nonfinite"] = 3
    assert "3 nan/inf" in graph_text(data)


def test_graph_text_when_a_gradient_is_not_finite_has_no_norm():
    data = fixture("scalars")["data"]
    for node in data["nodes"]:
        if node["grad"] is not None:
            node["grad"] |= {"norm": None, "nonfinite": 4, "n": 4}
    text = graph_text(data)
    assert ", gradient: 4 of 4 values nan/inf" in text
    assert "norm" not in text


def test_gradients_text_when_given_a_series_lists_layers_and_marks():
    lines = gradients_text(gradients()).splitlines()
    assert lines[0] == "Gradient norm per parameter, steps 0 to 29"
    assert lines[1].split()[0] == "net.0.weight"
    assert lines[-1] == "  nonfinite: net.2.weight at step 6: rule 2"


def test_gradients_text_when_a_norm_is_nan_says_so():
    data = gradients(layers=3, steps=6)
    data["norms"][-1][2] = None
    data["marks"].append(
        {"step": 5, "layer": "net.2.weight", "kind": "nonfinite", "rule": "nan"}
    )
    line = gradients_text(data).splitlines()[3]
    assert line.split()[1] == "nan/inf" and line.endswith("✕")


def test_memory_text_when_something_was_marked_tells_when():
    data = memory()
    data["marks"].append({"t": 340.0, "name": "out of memory: +4.00 MiB"})
    assert "  0.340 s  out of memory: +4.00 MiB" in memory_text(data).splitlines()


def test_memory_text_when_given_a_series_is_a_table():
    lines = memory_text(memory()).splitlines()
    assert "limit 1.0 MB, 512 KB reserved" in lines[0]
    assert [line.split()[0] for line in lines[2:]] == memory()["categories"]


def test_memory_text_when_a_step_is_known_tells_its_phases():
    lines = memory_text(memory() | {"steps": [memory_step()]}).splitlines()
    start = lines.index("Step 3 (latest): at most 205 KB, after 2.00 ms in backward")
    moments = [line[10:27].strip() for line in lines[start + 2 :]]
    assert moments == ["forward begins", "backward begins", "peak", "update begins"]
    assert max(map(len, lines[start:])) <= 80  # as wide as a page of the book
    assert lines[start + 4].split() == [
        "2.00", "ms", "peak", "39.1", "KB", "0", "B", "87.9", "KB", "78.1", "KB",
        "0", "B"]  # fmt: skip


def test_memory_text_when_moments_coincide_tells_the_peak():
    step = memory_step()
    step["t"][-1] = step["t"][-2]  # freed as soon as it was allocated
    lines = memory_text(memory() | {"steps": [step]}).splitlines()
    (peak,) = (line for line in lines if " ms  peak" in line)
    assert "87.9 KB" in peak


def test_sparkline_when_long_is_shortened():
    assert len(sparkline([1.0] * 1000)) == 24


def test_sparkline_when_nothing_is_known_is_dots():
    assert sparkline([None, 0.0]) == "··"


def test_texts_pass_nothing_to_the_terminal_that_it_obeys():
    evil = "w\x1b[2J\x9b\r\n\ud800"
    series = gradients()
    series["layers"][0] = evil
    data = fixture("scalars")["data"]
    for node in data["nodes"]:
        node["name"] = evil
    held = memory()
    held["categories"][0] = evil
    lines = 0
    for text in (gradients_text(series), graph_text(data), memory_text(held)):
        text.encode()
        lines += text.count("w [2J")
        assert not set("\x1b\x9b\r") & set(text)
    assert lines >= 3
