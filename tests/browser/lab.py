"""Drive JupyterLab in a browser: open a notebook, run cells, look at the page.

Cells are run through JupyterLab's own commands, which the server exposes to
the page as `window.jupyterapp`; buttons and boxes are clicked.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import nbformat

__all__ = ["Lab", "notebook_of"]

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
SECONDS = 60  # a wait's limit, for slow machines
AROUND = 260  # pixels of JupyterLab's bars above and below a notebook
# What JupyterLab says of itself: its debugger asks a starting kernel for its state, and
# the page may leave in that moment; on a slow machine its parts take seconds to start.
LABS_OWN = re.compile(
    "Could not restore the debugger state: Canceled future for debug_request message "
    r"before replies were done"
    r"|Connection lost, reconnecting in \d+ seconds\."  # when its kernel restarts
    r"|Plugin \S+ (is taking too long|.*took [\d.]+ms) to activate\."
)

# As a kernel ends, or is started anew, threads of ipykernel write to one socket without
# a lock: parts of two messages may mix, and JupyterLab drops them.
INTERLEAVED_MESSAGES = re.compile(
    "Kernel message validation error: Unexpected token .* is not valid JSON"
)

# anywidget gives each model two seconds to load. Where a dozen views open at once on a
# slow machine it says so and goes on; a view that is not drawn fails its own test.
SLOW_MODEL = "[anywidget] Failed to initialize model."

# ipywidgets' words in the page and in its console, if it has not read a widget.
LOST_VIEW = "Error displaying widget: model not found"
LOST = "Error: widget model not found"

OPEN = """async path => {
  const app = window.jupyterapp;
  await app.restored;
  const book = await app.commands.execute(
      "docmanager:open", {path, factory: "Notebook"});
  await book.context.ready;
  await book.sessionContext.ready;
  await book.sessionContext.session?.kernel.info;
  window.book = book;
}"""

START = """index => {
  window.book.content.activeCellIndex = index;
  window.ended = false;
  const run = window.jupyterapp.commands.execute("notebook:run-cell");
  run.then(() => { window.ended = true; });
}"""

EVALUATE = """async expression => {
  const future = window.book.sessionContext.session.kernel.requestExecute({
    code: "", silent: true, store_history: false,
    user_expressions: {it: expression}});
  const {it} = (await future.done).content.user_expressions;
  return it.status === "ok" ? it.data["text/plain"] : it.ename + ": " + it.evalue;
}"""

# The widget manager writes the models whose connection to the kernel stands. On a busy
# machine that takes a while after a page was loaded: saved again until all are there.
SAVE = """async most => {
  if (!window.book) return;
  const {content, context} = window.book;
  const shown = content.widgets
    .flatMap(cell => cell.model.outputs?.toJSON() ?? [])
    .map(output => output.data?.["application/vnd.jupyter.widget-view+json"]?.model_id)
    .filter(Boolean);
  for (let tries = 0; tries < most; tries++) {
    await context.save();
    const written = context.model.getMetadata("widgets") ?? {};
    const {state = {}} = written["application/vnd.jupyter.widget-state+json"] ?? {};
    if (shown.every(id => id in state)) return;
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}"""

CLOSE = """async () => {
  await window.book?.sessionContext.shutdown();
  window.book?.dispose();
  window.book = undefined;
}"""

PNGS = """n => window.book.content.widgets.flatMap(
  cell => cell.model.outputs?.toJSON() ?? []).filter(
  output => output.data?.["image/png"]).length === n"""


class Lab:
    """One page of JupyterLab, and what went on in it.

    Attributes:
        page: Playwright's page.
        folder: what the server shows.
        outside: addresses beyond this server that the page requested.
        problems: errors and warnings in the page's console.
        own: the messages of the host itself, which are no problems.
    """

    own = LABS_OWN

    def __init__(self, server, page) -> None:
        self.server = server
        self.page = page
        self.folder = server.folder
        self.outside: list[str] = []
        self.problems: list[str] = []
        page.set_default_timeout(SECONDS * 1000)
        page.on("console", self._note)
        page.on("pageerror", self._note_thrown)
        page.on("request", self._look_at)
        page.on("websocket", self._look_at)
        page.on("dialog", self._refuse)

    def _note(self, message) -> None:
        own = self.own.fullmatch(message.text)
        if message.type in ("error", "warning") and not own:
            self.problems.append(f"{message.type}: {message.text}")

    def _note_thrown(self, error) -> None:
        text = str(error)
        expected = INTERLEAVED_MESSAGES.search(text) or text == SLOW_MODEL
        if not expected and not self.own.fullmatch(text):
            self.problems.append(f"thrown: {error}")

    def _look_at(self, request) -> None:
        base = self.server.base
        own = (base, base.replace("http:", "ws:"), "data:", "blob:")
        if not request.url.startswith(own):
            self.outside.append(request.url)

    def _refuse(self, dialog) -> None:
        if dialog.type == "beforeunload":  # the page leaves, whatever is not saved
            dialog.accept()
            return
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    # ---- notebooks

    def open(self, name: str) -> None:
        """Open a notebook of the server's folder and wait for its kernel."""
        self.page.goto(f"{self.server.base}/lab?token={self.server.token}&reset")
        self.page.wait_for_function("() => window.jupyterapp?.restored")
        self.page.evaluate(OPEN, name)

    def write_and_open(self, name: str, notebook) -> None:
        """Put a notebook (JSON) into the server's folder and open it."""
        self.write(name, notebook)
        self.open(name)

    def write(self, name: str, notebook) -> None:
        """Put a notebook (JSON) into the server's folder."""
        (self.folder / name).write_text(nbformat.writes(nbformat.from_dict(notebook)))

    def reopen(self, name: str, shown) -> None:
        """Open a saved notebook, whose kernel has ended, and wait for what it shows.

        Where the connection to the new kernel comes late, ipywidgets may call its
        models restored before it has read them from the notebook, and does not look
        again. Loading the page once more helps, in this test as by hand.

        Args:
            shown: a locator of what must be there.
        """
        lost = self.page.get_by_text(LOST_VIEW).first
        for _ in range(3):
            self.open(name)
            lost.or_(shown).first.wait_for()
            if not lost.is_visible():
                return
            self.forget_lost_models()

    def forget_lost_models(self) -> list[str]:
        """Take what ipywidgets said of missing models out of the problems."""
        lost = [problem for problem in self.problems if LOST in problem]
        self.problems[:] = [problem for problem in self.problems if LOST not in problem]
        return lost

    def close(self) -> None:
        """Save the notebook and end its kernel."""
        self.save(most=5)
        self.page.evaluate(CLOSE)

    def save(self, most: int = 50) -> None:
        """Write the notebook with its outputs and with the state of its widgets."""
        self.page.evaluate(SAVE, most)

    @property
    def trusted(self) -> bool:
        """Whether JupyterLab trusts all cells of the notebook."""
        code = "() => window.book.content.widgets.every(c => c.model.trusted)"
        return self.page.evaluate(code)

    # ---- cells

    def start(self, index: int) -> None:
        """Start a cell and leave it running."""
        self.page.evaluate(START, index)

    @property
    def ended(self) -> bool:
        """Whether the cell started last has ended."""
        return self.page.evaluate("() => window.ended")

    def wait_for_end(self, seconds: float = SECONDS) -> None:
        """Wait for the cell started last."""
        self.page.wait_for_function("() => window.ended", timeout=seconds * 1000)

    def run(self, index: int, seconds: float = SECONDS) -> None:
        """Run a cell; an error in it is one here."""
        self.start(index)
        self.wait_for_end(seconds)
        wrong = [o for o in self.outputs(index) if o["output_type"] == "error"]
        assert not wrong, "\n".join([f"cell {index}:", *wrong[0]["traceback"]])

    def run_all(self, name: str, notebook, seconds: float = 300) -> dict[str, str]:
        """Open a notebook and run it to its end; what each cell printed, by its id."""
        self.write_and_open(f"{name}.ipynb", notebook)
        printed = {}
        for i, cell in enumerate(notebook["cells"]):
            if cell["cell_type"] == "code":
                self.run(i, seconds)
                printed[cell["id"]] = self.printed(i)
        return printed

    def interrupt(self) -> None:
        """Stop the cell started last, as the square button does."""
        self.page.evaluate(
            "() => window.book.sessionContext.session.kernel.interrupt()"
        )
        self.wait_for_end()

    def outputs(self, index: int) -> list[dict]:
        """A cell's outputs, as the notebook will hold them."""
        code = "index => window.book.content.widgets[index].model.outputs.toJSON()"
        return self.page.evaluate(code, index)

    def printed(self, index: int) -> str:
        """All plain text of a cell's outputs."""
        parts = []
        for output in self.outputs(index):
            text = output.get("data", {}).get("text/plain", "")
            parts.append(output.get("text", text))
        return "\n".join("".join(part) for part in parts)

    def wait_for_text(self, index: int, words: str) -> None:
        """Wait until a cell's outputs say something, as when they are written anew."""
        limit = time.monotonic() + SECONDS
        while words not in (found := self.printed(index)):
            assert time.monotonic() < limit, f"cell {index}: no {words!r} in {found!r}"
            time.sleep(0.05)

    def wait_for_one(self, selector: str) -> None:
        """Wait until exactly one element of the page is like this."""
        code = "s => document.querySelectorAll(s).length === 1"
        self.page.wait_for_function(code, arg=selector)

    def wait_for_pngs(self, number: int) -> None:
        """Wait until so many outputs hold a PNG, which follows as the kernel rests."""
        self.page.wait_for_function(PNGS, arg=number)

    def count(self, index: int) -> int:
        """The number in front of a cell, as in `In [3]`."""
        code = "index => window.book.content.widgets[index].model.executionCount"
        return self.page.evaluate(code, index)

    # ---- the kernel

    def ask(self, expression: str) -> str:
        """The repr of an expression in the kernel, once it is idle."""
        return self.page.evaluate(EVALUATE, expression)

    def until(self, expression: str, wanted: str, seconds: float = SECONDS) -> None:
        """Clicks reach Python a moment later, so ask until it says so."""
        limit = time.monotonic() + seconds
        while (found := self.ask(expression)) != wanted:
            assert time.monotonic() < limit, f"{expression} is {found}, not {wanted}"
            time.sleep(0.05)

    # ---- the look

    def theme(self, name: str) -> None:
        """`JupyterLab Light` or `JupyterLab Dark`."""
        light = "true" if "Light" in name else "false"
        self.page.evaluate(
            "theme => window.jupyterapp.commands.execute("
            "'apputils:change-theme', {theme})",
            name,
        )
        self.page.locator(f"body[data-jp-theme-light='{light}']").wait_for(
            state="attached"
        )

    def fit(self, locator, theme: str, width: int, file: Path) -> None:
        """Show a view in a theme and a width, take its picture; nothing sticks out."""
        self.theme(f"JupyterLab {theme}")
        locator.evaluate("(e, width) => { e.style.width = `${width}px` }", width)
        self.page.wait_for_timeout(200)  # sizes are reported in the next frames
        self.picture(locator, file)
        assert locator.evaluate("e => e.scrollWidth - e.clientWidth") <= 1

    def picture(self, locator, file: Path) -> None:
        """Take a picture of a part of the page, in a window in which all of it fits."""
        locator.scroll_into_view_if_needed()
        window, box = self.page.viewport_size, locator.bounding_box()
        higher = box["height"] + AROUND > window["height"]
        if higher:
            room = int(box["height"]) + AROUND
            self.page.set_viewport_size({**window, "height": room})
            self.page.wait_for_timeout(200)  # sizes are reported in the next frames
            locator.scroll_into_view_if_needed()
        locator.screenshot(path=file, animations="disabled")
        if higher:
            self.page.set_viewport_size(window)
            self.page.wait_for_timeout(200)


def notebook_of(*sources: str):
    """A notebook with these code cells, as JSON."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})
