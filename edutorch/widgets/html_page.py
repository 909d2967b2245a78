"""A self-contained HTML page that shows views without a kernel or a network."""

from __future__ import annotations

import json
from html import escape
from string import Template
from typing import Any

from .bundle import source
from .svg import printable

__all__ = ["html_page"]

# The policy forbids fetching, even if a name were mistaken for an address.
PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';
 script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src data:$connect">
<title>$title</title>
<style>
:root { color-scheme: light dark; }
body { margin: 16px auto; max-width: 1800px; padding: 0 12px; }
main {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 640px), 1fr));
  gap: 0 12px;
  align-items: start;
}
main > * { min-width: 0; }
</style>
</head>
<body>
<main></main>
<noscript>These views are drawn by a script, which this page has with it.</noscript>
<script type="application/json" id="views">$views</script>
<script type="text/plain" id="bundle">$bundle</script>
<script type="text/plain" id="served">$served</script>
<script type="module">
const text = (id) => document.getElementById(id).textContent;
const program = (id) => {
  const url = URL.createObjectURL(new Blob([text(id)], {type: "text/javascript"}));
  return import(url);
};
const main = document.querySelector("main");
const views = await program("bundle");
views.showPage(main, JSON.parse(text("views")));
if ("$token") (await program("served")).follow(views.default.render, main, "$token");
</script>
</body>
</html>
""")


def html_page(
    states: list[dict[str, Any]], title: str, program: str = "widgets", token: str = ""
) -> str:
    """A page with views, drawn from their states.

    Args:
        states: of each view, its traits; see `View.page_state`.
        title: the name of the page.
        program: the bundle that draws them.
        token: that of the `PageServer`, if one serves the page; the views follow it.

    Example:
        >>> page = html_page([], "<nothing>")
        >>> "<title>&lt;nothing&gt;</title>" in page
        True
    """
    bundle, served = source(program), source("served_page") if token else ""
    if "</script" in bundle + served:  # a program must not close its own script element
        raise ValueError("the bundle cannot stand in a page")
    views = json.dumps(states, separators=(",", ":")).replace("<", "\\u003c")
    return PAGE.substitute(
        title=escape(printable(title)),
        views=views,
        bundle=bundle,
        served=served,
        token=token,
        connect="; connect-src 'self'" if token else "",
    )
