"""Optional packages: those of each extra, and the command that installs them.

PyPI has another project named edutorch: messages name the packages, not an extra.
"""

from __future__ import annotations

__all__ = ["EXTRAS", "install_command"]

# The extras of pyproject.toml for users, without lower bounds.
EXTRAS = {
    "lab": (
        "anywidget", "graphviz", "ipykernel", "ipywidgets", "jupyterlab<5",
        "matplotlib", "scikit-learn",
    ),
    "fast": ("numba",),
    "onednn": ("onednn-cpu-gomp==2023.2.0",),
    "gpu": ("cupy-cuda12x",),
    "gpu13": ("cupy-cuda13x",),
    "distributed": ("mpi4py", "mpich"),
    "cluster": ("ipyparallel",),
    "course": ("nbgrader",),
}  # fmt: skip


def install_command(*names: str) -> str:
    """The command that installs extras, or some packages of them.

    Args:
        names: of extras, as in pyproject.toml, or of their packages.

    Raises:
        ValueError: if a name is neither.

    Example:
        >>> install_command("distributed", "cluster")
        'pip install mpi4py mpich ipyparallel'
        >>> install_command("matplotlib")
        'pip install matplotlib'
    """
    known = EXTRAS | {name: (name,) for extra in EXTRAS.values() for name in extra}
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"neither extras nor packages of extras: {unknown}")
    packages = [package for name in names for package in known[name]]
    quoted = [f"'{name}'" if "<" in name else name for name in packages]
    return f"pip install {' '.join(quoted)}"
