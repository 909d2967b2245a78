"""Locations of storages, and the device to which each is loaded.

A file has a word for the place of each storage ("cpu", "cuda:1"). Packages, in the
order of their priority, give storages such words and put them where a word says.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import backends, devices
from ..tensor.storage import Storage, make_storage

__all__ = ["default_restore_location", "location_tag", "register_package", "restorer"]


class _Package(NamedTuple):
    priority: int
    tagger: Callable[[Any], str | None]
    deserializer: Callable[[Any, str], Any]


_packages: list[_Package] = []


def register_package(
    priority: int,
    tagger: Callable[[Any], str | None],
    deserializer: Callable[[Any, str], Any],
) -> None:
    """Register functions for storages at user-defined locations.

    Args:
        priority: packages with lower numbers are tried first; the CPU's has 10, that of
            GPUs 20.
        tagger: gives the location of a storage, or None for one that it does not know.
        deserializer: gives, for a storage in host memory and a location, the
            storage there, or None for a location that it does not know.

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.register_package(
        ...     30, lambda storage: None, lambda storage, location: None
        ... )
    """
    package = _Package(priority, tagger, deserializer)
    insort(_packages, package, key=lambda p: p.priority)


def location_tag(storage: Any) -> str:
    """The word for the place of a storage.

    Raises:
        RuntimeError: if no package knows the place.

    Example:
        >>> import edutorch as torch
        >>> torch.serialization.location_tag(torch.ones(2).untyped_storage())
        'cpu'
    """
    for package in _packages:
        if location := package.tagger(storage):
            return location
    raise RuntimeError(
        "don't know how to determine data location of torch.storage.UntypedStorage"
    )


def default_restore_location(storage: Any, location: str) -> Any:
    """A storage that was read, put where a file says that it was.

    Raises:
        RuntimeError: if no package knows the place, or it is not there.

    Example:
        >>> import edutorch as torch
        >>> storage = torch.ones(2).untyped_storage()
        >>> torch.serialization.default_restore_location(storage, "cpu") is storage
        True
    """
    for package in _packages:
        restored = package.deserializer(storage, location)
        if restored is not None:
            return restored
    raise RuntimeError(
        "don't know how to restore data location of torch.storage.UntypedStorage "
        f"(tagged with {str(location)[:40]})"
    )


def restorer(map_location: Any) -> Callable[[Storage, str], Storage]:
    """The function (storage, location) that follows a `map_location`.

    Args:
        map_location: None, a device or its name, a dictionary from names to names, or
            a function, which may give None for where it does not care.
    """
    if map_location is None:
        return default_restore_location
    if isinstance(map_location, dict):
        return lambda storage, location: default_restore_location(
            storage, map_location.get(location, location)
        )
    if isinstance(map_location, (str, bytes, devices.device)):
        where = (
            map_location.decode("ascii")
            if isinstance(map_location, bytes)
            else str(map_location)
        )
        return lambda storage, _: default_restore_location(storage, where)
    return _call_restorer(map_location)


def _call_restorer(
    function: Callable[[Storage, str], Any],
) -> Callable[[Storage, str], Any]:
    """Restoring as a user's function says."""

    def restore(storage: Storage, location: str) -> Any:
        chosen = function(storage, location)
        if chosen is None:
            return default_restore_location(storage, location)
        if isinstance(chosen, Storage):
            return chosen
        raise TypeError(
            "map_location must give a storage or None, but it gave "
            f"{type(chosen).__name__}"
        )

    return restore


# ---- the devices there are


def _device_of(location: str) -> devices.device | None:
    try:
        return devices.to_device(location)
    except RuntimeError:
        return None


def _cpu_tag(storage: Any) -> str | None:
    return "cpu" if storage.device.type == "cpu" else None


def _to_cpu(storage: Any, location: str) -> Any:
    return storage if location == "cpu" else None


def _other_tag(storage: Any) -> str | None:
    return str(storage.device)


def _to_other(storage: Any, location: str) -> Any:
    where = _device_of(location)
    if where is None or where.type == "cpu":
        return None
    try:
        backend = backends.backend_of(where)
    except (AssertionError, NotImplementedError):
        raise RuntimeError(
            f"Attempting to deserialize object on a {where.type.upper()} device but "
            f"torch.{where.type}.is_available() is False. If you are running on a "
            "CPU-only machine, please use torch.load with "
            "map_location=torch.device('cpu') to map your storages to the CPU."
        ) from None
    if where.type == "meta":
        return Storage(storage.array, where)  # only its size is of interest
    return make_storage(backend.upload(storage.bytes(), where), where)


register_package(10, _cpu_tag, _to_cpu)
register_package(20, _other_tag, _to_other)
