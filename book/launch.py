"""Links that open a chapter of the book in Binder or Colab, as a live notebook."""

from __future__ import annotations

import os
import re
from typing import Any
from urllib.parse import quote

__all__ = ["add_buttons", "buttons", "links"]

CHAPTER = "chapters/"  # where the book keeps what the repository has in notebooks/


def links(page: str, repository: str) -> dict[str, str]:
    """The addresses at which a page's notebook opens, by service.

    Args:
        page: as Sphinx names it, such as "chapters/02-autograd".
        repository: the address on GitHub, with "@branch" if that is not main.

    Raises:
        ValueError: the address is none of a repository on GitHub.
    """
    if not repository or not page.startswith(CHAPTER):
        return {}
    found = re.fullmatch(
        r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?(?:@([\w./-]+))?",
        repository,
    )
    if found is None:
        raise ValueError(f"no repository on GitHub: {repository!r}")
    project, branch = found[1], quote(found[2] or "main", safe="")
    file = f"notebooks/{page.removeprefix(CHAPTER)}.ipynb"
    opened = quote(f"lab/tree/{file}", safe="")
    return {
        "Binder": f"https://mybinder.org/v2/gh/{project}/{branch}?urlpath={opened}",
        "Colab": f"https://colab.research.google.com/github/{project}/blob/{branch}/"
        + file,
    }


def buttons(page: str, repository: str) -> list[dict[str, str]]:
    """The same as buttons of the theme's header."""
    return [
        {
            "type": "link",
            "url": url,
            "text": service,
            "tooltip": f"Open this chapter in {service}",
            "icon": "fas fa-rocket",
            "label": f"open-in-{service.lower()}",
        }
        for service, url in links(page, repository).items()
    ]


def add_buttons(
    app: Any, page: str, template: str, context: dict[str, Any], tree: Any
) -> None:
    """What Sphinx calls for each page, before it is written."""
    repository = os.environ.get("EDUTORCH_REPOSITORY", "")
    context.setdefault("header_buttons", []).extend(buttons(page, repository))
