"""Make JupyterLab open the start page, without questions and news.

Notebooks are saved with the state of their widgets: opened again, a view shows what
it recorded instead of an error. `make lab` uses these settings, too.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

START = "00-start.ipynb"


def write(path: str, settings: dict[str, Any]) -> None:
    """Store settings in the environment this script runs in."""
    target = Path(sys.prefix) / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Write the server's, JupyterLab's and the page's settings."""
    url = f"/lab/tree/notebooks/{START}"
    write("etc/jupyter/jupyter_server_config.json", {"ServerApp": {"default_url": url}})
    write("etc/jupyter/jupyter_lab_config.json", {"LabApp": {"default_url": url}})
    notices = "@jupyterlab/apputils-extension:notification"
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    widgets = "@jupyter-widgets/jupyterlab-manager:plugin"
    overrides = {notices: quiet, widgets: {"saveState": True}}
    write("share/jupyter/lab/settings/overrides.json", overrides)


if __name__ == "__main__":
    main()
