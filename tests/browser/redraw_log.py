"""Record in the page when a view is drawn, so that no update is missed."""

from __future__ import annotations

__all__ = ["updates", "watch"]

WATCH = """() => {
  window.updates = [];
  const printed = () => document.querySelector(".jp-Notebook").innerText;
  for (const view of ["graph", "gradient", "memory"]) {
    const root = document.querySelector(`.edutorch-${view}`);
    const note = () => window.updates.push({
      view, rev: root.dataset.rev, ms: performance.now(), ended: window.ended,
      info: root.querySelector(".edt-info").textContent,
      epoch: (printed().match(/^epoch/gm) ?? []).length,
    });
    new MutationObserver(note).observe(root, {attributeFilter: ["data-rendered"]});
  }
}"""


def watch(page) -> None:
    """From now on, note each drawing: view, revision, time, and what is printed."""
    page.evaluate(WATCH)


def updates(page, view: str | None = None) -> list[dict]:
    """The drawings noted so far, of one view or of all."""
    noted = page.evaluate("() => window.updates")
    return [u for u in noted if view in (None, u["view"])]
