"""The version is told in one way everywhere."""

from __future__ import annotations

import tomllib
from pathlib import Path

import edutorch as torch

ROOT = Path(__file__).parents[1]


def test_version_is_the_projects():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert torch.__version__ == torch.version.__version__ == told
    assert torch.version.cuda is None
