"""Labels the side bar's arrows, which fold the pages below a page.

The theme leaves them without: a screen reader would say "button" alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

__all__ = ["name_arrows", "named"]

# A link, and the arrow behind it.
ARROW = re.compile(
    r"(<a\b[^>]*>\s*(?P<title>[^<]+?)\s*</a>\s*<details\b[^>]*>\s*)<summary>"
)


def named(markup: str) -> str:
    """The side bar's HTML with a name for each arrow."""
    return ARROW.sub(_with_name, markup)


def _with_name(found: re.Match[str]) -> str:
    title = found["title"].replace('"', "&quot;")  # the rest is HTML already
    return f'{found[1]}<summary aria-label="Pages of {title}">'


def name_arrows(
    app: Any, page: str, template: str, context: dict[str, Any], tree: Any
) -> None:
    """What Sphinx calls for each page, after the theme has put its function there."""
    before: Callable[..., Any] | None = context.get("generate_toctree_html")
    if before is not None:
        context["generate_toctree_html"] = lambda *args, **options: named(
            str(before(*args, **options))
        )
