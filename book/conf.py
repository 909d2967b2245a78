"""Sphinx's settings for the book; `book/build.py` prepares its sources."""

from __future__ import annotations

import json
from pathlib import Path

import launch
import side_bar
from sphinx.application import Sphinx
from sphinx.domains.python import ObjectEntry
from sphinx.environment import BuildEnvironment

project = "edutorch"
author = "The edutorch authors"
project_copyright = "2026, The edutorch authors. Licence: Apache-2.0"

extensions = ["myst_nb"]
templates_path = ["_templates"]
exclude_patterns = ["jupyter_execute", "**.ipynb_checkpoints"]

# The chapters were executed by build.py, which also took the live views out:
# a page without a kernel shows the picture that was stored with each view.
nb_execution_mode = "off"
nb_ipywidgets_js = {}
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
# MyST's own MathJax settings are for other versions of MathJax than ours.
myst_update_mathjax = False

html_theme = "sphinx_book_theme"
html_title = "edutorch"
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_js_files = [
    "formulas.js",
    "scrolling.js",
    ("interactions.js", {"defer": "defer"}),
]
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # pages from the file system may not fetch others
html_context = {"default_mode": "auto"}  # light or dark as the system is
html_theme_options = {
    "use_download_button": False,
    "use_fullscreen_button": False,
    "home_page_in_toc": True,
    "navbar_persistent": [],  # the side bar has the search already
}

# MathJax 2 from a wheel: the page fetches nothing from another machine.
mathjax_path = "mathjax/MathJax.js"
mathjax2_config = {
    "config": ["TeX-AMS-MML_HTMLorMML-full.js"],
    "showMathMenu": False,
    "messageStyle": "none",
    "tex2jax": {"inlineMath": [["\\(", "\\)"]], "displayMath": [["\\[", "\\]"]]},
    "HTML-CSS": {
        "linebreaks": {"automatic": True, "width": "container"},
        "availableFonts": [],
        "imageFont": None,
        "preferredFont": None,
        "webFont": "STIX-Web",
    },
}

smartquotes = False  # "same" is a string of Python


def setup(app: Sphinx) -> None:
    """What Sphinx calls first."""
    app.connect("env-updated", enter_names)
    # After the theme, which begins the list of buttons.
    app.connect("html-page-context", launch.add_buttons, priority=900)
    app.connect("html-page-context", side_bar.name_arrows, priority=900)
    app.set_html_assets_policy("always")  # MathJax, for formulas of docstrings, too


def enter_names(app: Sphinx, env: BuildEnvironment) -> None:
    """Make the entries of the API reference known to the search."""
    text = (Path(app.srcdir) / "reference" / "names.json").read_text(encoding="utf-8")
    objects = env.domains.python_domain.objects
    for space, names in json.loads(text).items():
        for name, kind in names:
            objects[name] = ObjectEntry(f"reference/{space}", name, kind, False)
