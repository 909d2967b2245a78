"""A JupyterLab or Notebook 7 server for the tests, with its own settings and folder."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from tests.notebooks.chapters import NOWHERE, ROOT
from tests.ports import free_port

__all__ = ["Server", "running_server"]

SECONDS_TO_START = 90
FLAGS = (
    "--no-browser",
    "--allow-root",
    "--ip=127.0.0.1",
    "--ServerApp.port_retries=0",
)
# The modules that start a server, with their own flags.
APPLICATIONS = {
    "jupyterlab": (
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ),
    "notebook": ("--JupyterNotebookApp.expose_app_in_browser=True",),
}
SETTINGS = {
    # As `make lab` has it, see binder/jupyter_settings.py: a question about news would cover
    # the page, and notebooks are saved with the state of their widgets.
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    "@jupyter-widgets/jupyterlab-manager/plugin": {"saveState": True},
    # Cells outside the window stay in the page; the kernel starts by itself.
    "@jupyterlab/notebook-extension/tracker": {
        "windowingMode": "none",
        "autoStartDefaultKernel": True,
    },
}


@dataclass
class Server:
    """Where it listens, what opens it, and the folder it shows."""

    base: str
    token: str
    folder: Path


@contextlib.contextmanager
def running_server(home: Path, application: str = "jupyterlab"):
    """Start JupyterLab, wait until it answers, and end it afterwards.

    Args:
        application: "notebook" for Notebook 7.
    """
    port, token = free_port(), secrets.token_hex(8)
    server = Server(f"http://127.0.0.1:{port}", token, home / "notebooks")
    server.folder.mkdir()
    _write_settings(home / "settings")
    own = (f"--port={port}", f"--IdentityProvider.token={token}")
    flags = (*FLAGS, *APPLICATIONS[application], *own)
    command = [sys.executable, "-m", application, *flags]
    command.append(f"--ServerApp.root_dir={server.folder}")
    log = home / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, env=_environment(home)
        )
        try:
            _wait_for(f"{server.base}/api/status?token={token}", process, log)
            yield server
        finally:
            _end(process)


def _write_settings(folder: Path) -> None:
    for name, values in SETTINGS.items():
        file = folder / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))


def _environment(home: Path) -> dict[str, str]:
    """Nothing of the user's Jupyter, and no way out of this machine."""
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "EDUTORCH_PROGRESS": "progress.json",
        "EDUTORCH_RUNS": "runs.db",
    }
    proxies = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
    path = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return (
        os.environ
        | {name: str(home / place) for name, place in places.items()}
        | dict.fromkeys(proxies, NOWHERE)
        | {"PYTHONPATH": os.pathsep.join(path), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    )


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Until the server answers; an end of the server is an error."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    limit = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < limit:
        if process.poll() is not None:
            raise RuntimeError(log.read_text())
        with contextlib.suppress(OSError), direct.open(url, timeout=1):
            return
        time.sleep(0.1)
    raise TimeoutError(log.read_text())


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
