"""Models from folders with a `hubconf.py`, and checkpoints from URLs.

A repository is a folder whose `hubconf.py` has functions that create models.
Repositories on GitHub are read only from the cache: edutorch downloads no code.
**Loading a model executes its `hubconf.py`.**
"""

from __future__ import annotations

import builtins
import hashlib
import importlib.util
import os
import re
import sys
import tempfile
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlparse

from .serialization import load as load_checkpoint

__all__ = [
    "download_url_to_file", "get_dir", "help", "list", "load",
    "load_state_dict_from_url", "set_dir",
]  # fmt: skip

CONF: Final = "hubconf.py"
HASH: Final = re.compile(r"-([a-f0-9]*)\.")  # in names of files, before the ending
CHUNK: Final = 128 * 1024
_chosen: str | None = None


def get_dir() -> str:
    """The folder of the cache: that of `set_dir`, or `hub` in TORCH_HOME.

    Example:
        >>> import edutorch as torch
        >>> torch.hub.get_dir().endswith("hub")
        True
    """
    if _chosen is not None:
        return _chosen
    cache = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    home = os.environ.get("TORCH_HOME", os.path.join(cache, "torch"))  # noqa: PTH118  (a "~" is expanded below)
    return str(Path(home).expanduser() / "hub")


def set_dir(d: str | os.PathLike[str]) -> None:
    """Set the folder of the cache.

    Example:
        >>> import edutorch as torch
        >>> torch.hub.set_dir(torch.hub.get_dir())
    """
    global _chosen
    _chosen = os.path.expanduser(d)  # noqa: PTH111  (a path as text is kept as it is)


# ---- repositories


def load(
    repo_or_dir: Any,
    model: str,
    *args: Any,
    source: str = "github",
    trust_repo: Any = "check",
    force_reload: bool = False,
    verbose: bool = True,
    skip_validation: bool = False,
    **kwargs: Any,
) -> Any:
    """The result of a function in a repository's `hubconf.py`, **whose code runs**.

    Args:
        repo_or_dir: "owner/name" or "owner/name:branch" on GitHub, or a folder.
        model: the name of the function; it gets the further arguments.
        source: "github" (from the cache), or "local" for a folder.
        trust_repo: accepted; nothing is ever downloaded to the cache.
        force_reload: download it again, which is refused.
        verbose: accepted.
        skip_validation: accepted.

    Raises:
        ValueError: for another source.
        FileNotFoundError: if there is no such folder.
        RuntimeError: if it is not in the cache, or has no such function.

    Example:
        >>> import edutorch as torch, pathlib, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> conf = pathlib.Path(folder.name, "hubconf.py")
        >>> _ = conf.write_text("def twice(x):\\n    return 2 * x\\n")
        >>> torch.hub.load(folder.name, "twice", 4, source="local")
        8
        >>> folder.cleanup()
    """
    source = source.lower()
    if source not in ("github", "local"):
        raise ValueError(
            f'Unknown source: "{source}". Allowed values: "github" | "local".'
        )
    where = _cached(repo_or_dir, force_reload) if source == "github" else repo_or_dir
    return _entry(_conf(where), model)(*args, **kwargs)


def list(
    github: Any,
    force_reload: bool = False,
    skip_validation: bool = False,
    trust_repo: Any = "check",
    verbose: bool = True,
) -> builtins.list[str]:
    """The functions in the `hubconf.py` of a repository in the cache.

    Raises:
        RuntimeError: if it is not there.

    Example:
        >>> import edutorch as torch
        >>> torch.hub.list("nobody/nothing")
        Traceback (most recent call last):
            ...
        RuntimeError: nobody/nothing is not in the cache, and edutorch downloads no code
    """
    conf = _conf(_cached(github, force_reload))
    public = (name for name in dir(conf) if not name.startswith("_"))
    return [name for name in public if callable(getattr(conf, name))]


def help(
    github: Any,
    model: str,
    force_reload: bool = False,
    skip_validation: bool = False,
    trust_repo: Any = "check",
) -> str | None:
    """The docstring of a function in the `hubconf.py` of a cached repository.

    Raises:
        RuntimeError: if it is not there.

    Example:
        >>> import edutorch as torch
        >>> torch.hub.help("nobody/nothing", "net")
        Traceback (most recent call last):
            ...
        RuntimeError: nobody/nothing is not in the cache, and edutorch downloads no code
    """
    doc: str | None = _entry(_conf(_cached(github, force_reload)), model).__doc__
    return doc


def _cached(github: str, force_reload: bool) -> Path:
    """The folder in the cache of a repository, in PyTorch's naming."""
    repository, _, branch = github.partition(":")
    if repository.count("/") != 1 or not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise RuntimeError(
            f"{github} is no repository: owner/name or owner/name:branch"
        )
    for name in [branch] if branch else ["main", "master"]:
        folder = "_".join([*repository.split("/"), re.sub(r"[\W]", "_", name)])
        found = Path(get_dir(), folder)
        if found.is_dir() and not force_reload:
            return found
    raise RuntimeError(f"{github} is not in the cache, and edutorch downloads no code")


@contextmanager
def _importing_from(folder: Path) -> Any:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _conf(folder: str | os.PathLike[str]) -> Any:
    """The module in a repository's `hubconf.py`, which is run."""
    path = Path(folder).resolve() / CONF
    if not path.is_file():
        raise FileNotFoundError(f"[Errno 2] No such file or directory: '{path}'")
    with _importing_from(path.parent):
        spec: Any = importlib.util.spec_from_file_location(CONF, path)
        conf = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(conf)
    needed = getattr(conf, "dependencies", None) or []
    missing = [name for name in needed if not _is_installed(name)]
    if missing:
        raise RuntimeError(f"Missing dependencies: {', '.join(missing)}")
    return conf


def _is_installed(name: str) -> bool:
    return name == "torch" or importlib.util.find_spec(name) is not None


def _entry(conf: Any, model: Any) -> Any:
    if not isinstance(model, str):
        raise ValueError("Invalid input: model should be a string of function name")
    entry = getattr(conf, model, None)
    if not callable(entry):
        raise RuntimeError(f"Cannot find callable {model} in hubconf")
    return entry


# ---- files


def download_url_to_file(
    url: str, dst: str, hash_prefix: str | None = None, progress: bool = True
) -> None:
    """Download a URL to a file, completely or not at all.

    Args:
        hash_prefix: how the SHA-256 of the file begins, if that is to be checked.
        progress: accepted.

    Raises:
        RuntimeError: if the file has another hash.
        URLError: if the address cannot be reached.

    Example:
        >>> import edutorch as torch, pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a").write_text("text")
        >>> torch.hub.download_url_to_file((folder / "a").as_uri(), folder / "b")
        >>> (folder / "b").read_text()
        'text'
    """
    target, digest = Path(dst).expanduser(), hashlib.sha256()
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        part = Path(file.name)
        try:
            with urllib.request.urlopen(url) as source:  # noqa: S310  (the user's own address)
                while data := source.read(CHUNK):
                    file.write(data)
                    digest.update(data)
            found = digest.hexdigest()
            if hash_prefix is not None and not found.startswith(hash_prefix):
                raise RuntimeError(
                    f'invalid hash value (expected "{hash_prefix}", got "{found}")'
                )
            file.close()
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


def load_state_dict_from_url(
    url: str,
    model_dir: str | None = None,
    map_location: Any = None,
    progress: bool = True,
    check_hash: bool = False,
    file_name: str | None = None,
    weights_only: bool = False,
) -> dict[str, Any]:
    """A checkpoint by its address, from the cache if it is there.

    Args:
        model_dir: the folder to keep it in; `checkpoints` in the cache if left out.
        map_location: as in `load`.
        check_hash: compare the file's hash with the one in its name.
        file_name: the name to keep it under, instead of that in the address.
        weights_only: True runs no code that is in the file; see `load`.

    Raises:
        RuntimeError: if the hash is not the one in the name.
        URLError: if the address cannot be reached.

    Example:
        >>> import edutorch as torch, pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> torch.save({"w": torch.ones(2)}, folder / "net.pt")
        >>> address = (folder / "net.pt").as_uri()
        >>> torch.hub.load_state_dict_from_url(address, folder / "kept")
        {'w': tensor([1., 1.])}
    """
    folder = (
        Path(model_dir) if model_dir is not None else Path(get_dir(), "checkpoints")
    )
    folder.mkdir(parents=True, exist_ok=True)
    name = file_name or Path(urlparse(url).path).name
    path = folder / name
    if not path.exists():
        print(f'Downloading: "{url}" to {path}\n', file=sys.stderr)
        named = HASH.search(name) if check_hash else None
        download_url_to_file(url, str(path), named and named[1], progress)
    found: dict[str, Any] = load_checkpoint(
        path, map_location, weights_only=weights_only
    )
    return found
