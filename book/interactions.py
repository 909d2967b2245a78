"""Makes interactions work in the book: their state in the page, and the program once.

A page from the file system may not load modules, so the program is included as text in
a classic script, which imports it from memory. Without scripts, and on paper, the still
picture is shown.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

import nbformat

__all__ = ["keep_interactions", "script"]

VIEW = "application/vnd.jupyter.widget-view+json"
STATES = "application/vnd.jupyter.widget-state+json"
STILL = "image/svg+xml"

SCRIPT = """// Draws the interactions of a page; book/interactions.py writes this file.
const program = new Blob([%s], { type: "text/javascript" });
const places = document.querySelectorAll(".edutorch-alive");
if (places.length > 0)
  import(URL.createObjectURL(program)).then(({ showPage }) => {
    for (const place of places) {
      const state = JSON.parse(place.querySelector("script").textContent);
      const live = document.createElement("div");
      place.append(live);
      showPage(live, [state]);
      place.querySelector(".edutorch-still").remove();
    }
  });
"""


def script(program: str) -> str:
    """The page's script, which holds the program of the interactions."""
    return SCRIPT % json.dumps(program)


def keep_interactions(chapter: nbformat.NotebookNode, kinds: set[str]) -> int:
    """Put the live interactions into the outputs, as HTML; how many there were.

    Args:
        chapter: executed, with the states of its widgets.
        kinds: names of the interactions; what else is a widget stays as it is.
    """
    saved = chapter.metadata.get("widgets", {}).get(STATES, {}).get("state", {})
    count = 0
    for cell in chapter.cells:
        outputs = cell.get("outputs", [])
        for i, output in enumerate(outputs):
            model = output.get("data", {}).get(VIEW, {}).get("model_id", "")
            state = saved.get(model, {}).get("state", {})
            if state.get("view") not in kinds:
                continue
            still = outputs[i + 1] if i + 1 < len(outputs) else output
            page = _html(state, still.get("data", {}))
            alive = nbformat.v4.new_output("display_data", {"text/html": page})
            outputs[i : i + 2] = [alive]
            count += 1
    return count


def _html(state: dict[str, Any], still: dict[str, str]) -> str:
    """The place of an interaction: its state, and the picture where no script runs."""
    kept = {name: state[name] for name in ("view", "data", "token") if name in state}
    text = json.dumps(kept, separators=(",", ":")).replace("<", "\\u003c")
    words = escape(still.get("text/plain", "").partition("\n")[0], quote=True)
    picture = f'<div role="img" aria-label="{words}">{still.get(STILL, "")}</div>'
    return (
        '<div class="edutorch-alive">'
        f'<script type="application/json">{text}</script>'
        f'<div class="edutorch-still">{picture}</div></div>'
    )
