"""Checks that the `lab` extra is installed; imported before everything else."""

from __future__ import annotations

from importlib.util import find_spec

from ..extras import install_command

__all__ = ["NEEDED"]

NEEDED = ("anywidget", "ipywidgets", "traitlets")

if missing := [name for name in NEEDED if find_spec(name) is None]:
    raise ModuleNotFoundError(
        f"edutorch.widgets needs {', '.join(missing)}: {install_command('lab')}",
        name=missing[0],
    )
