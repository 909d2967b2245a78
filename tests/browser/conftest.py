"""One JupyterLab server for all browser tests, one browser for each file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser.lab import Lab
from tests.browser.server import running_server
from tests.require import chromium

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
)
WINDOW = {"width": 1280, "height": 1000}


@pytest.fixture(scope="session")
def executable():
    path = chromium()
    if path is None:
        pytest.skip("needs chromium")
    return path


@pytest.fixture(scope="session")
def server(executable, tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="module")
def browser(executable):
    """Chromium, ended with the file: until then an event loop runs in this thread."""
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=list(FLAGS)
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pictures(tmp_path_factory):
    """Where pictures of the page go (EDUTORCH_SCREENSHOTS names a folder to keep)."""
    named = os.environ.get("EDUTORCH_SCREENSHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def lab(server, browser, pictures, request):
    """A page of JupyterLab, for all tests of a file."""
    context = browser.new_context(viewport=WINDOW)
    lab = Lab(server, context.new_page())
    yield lab
    lab.page.screenshot(path=pictures / f"{Path(request.path).stem}-last.png")
    lab.close()
    context.close()
