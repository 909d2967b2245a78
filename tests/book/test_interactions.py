"""Interactions in the book: alive with a script, a picture without one."""

from __future__ import annotations

import json

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tests.house.source_tree import script

VIEW = "application/vnd.jupyter.widget-view+json"
STATES = "application/vnd.jupyter.widget-state+json"
STATE = {"view": "toy", "data": {"name": "</script><b>"}, "_esm": "import x"}
PICTURE = {"image/svg+xml": "<svg/>", "text/plain": 'A "toy"\nand more'}


@pytest.fixture(scope="module")
def interactions():
    return script("book/interactions.py")


def chapter(view="toy"):
    outputs = [
        new_output("display_data", {VIEW: {"model_id": "m"}, "text/plain": "A toy"}),
        new_output("display_data", dict(PICTURE)),
        new_output("stream", name="stdout", text="after"),
    ]
    saved = {STATES: {"state": {"m": {"state": {**STATE, "view": view}}}}}
    return new_notebook(
        cells=[new_code_cell(outputs=outputs)], metadata={"widgets": saved}
    )


def test_interaction_becomes_html_with_its_state_and_picture(interactions):
    notebook = chapter()
    assert interactions.keep_interactions(notebook, {"toy"}) == 1
    first, after = notebook.cells[0].outputs
    page = first.data["text/html"]
    state, _, rest = page.partition("</script>")
    kept = json.loads(state.partition('json">')[2])
    assert kept == {"view": "toy", "data": {"name": "</script><b>"}}
    assert "<svg/>" in rest
    assert 'aria-label="A &quot;toy&quot;"' in rest
    assert after.text == "after"


def test_other_views_stay_as_they_are(interactions):
    notebook = chapter("graph")
    before = [dict(o) for o in notebook.cells[0].outputs]
    assert interactions.keep_interactions(notebook, {"toy"}) == 0
    assert [dict(o) for o in notebook.cells[0].outputs] == before


def test_script_holds_the_program_as_text(interactions):
    text = interactions.script('export const a = "</b>";\n')
    assert json.dumps('export const a = "</b>";\n') in text
