"""`DeviceMesh`: ranks in a grid, with a process group along each dimension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..tensor.tensor import Tensor, wrap
from .groups.group_creation import new_group
from .groups.group_registry import default_group, is_initialized
from .groups.process_group import ProcessGroup
from .rendezvous import init_process_group

__all__ = ["DeviceMesh", "init_device_mesh"]


class DeviceMesh:
    """Ranks in a grid.

    Args:
        device_type: "cpu" or "cuda".
        mesh: the ranks, as nested lists or a tensor of integers; each rank once.
        mesh_dim_names: a name for each dimension.

    Attributes:
        mesh: the ranks as a tensor.

    Raises:
        RuntimeError: if a rank is repeated, or is not in the world.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> mesh = dist.DeviceMesh("cpu", [[0]], mesh_dim_names=("dp", "tp"))
        >>> mesh["tp"].get_local_rank()
        0
        >>> dist.destroy_process_group()
    """

    def __init__(
        self,
        device_type: str,
        mesh: Any,
        *,
        mesh_dim_names: Sequence[str] | None = None,
        _groups: list[Any] | None = None,
        _stride: Sequence[int] | None = None,
    ) -> None:
        ranks = mesh._data if isinstance(mesh, Tensor) else np.asarray(mesh)
        self.device_type = device_type
        self.mesh = wrap(np.array(ranks, np.int32))
        self.mesh_dim_names = tuple(mesh_dim_names) if mesh_dim_names else None
        if self.mesh_dim_names and len(self.mesh_dim_names) != self.ndim:
            raise RuntimeError(
                "mesh_shape and mesh_dim_names should have same length! Found "
                f"len(mesh_dim_names): {len(self.mesh_dim_names)} and "
                f"len(mesh_shape):{self.ndim}."
            )
        if len(np.unique(ranks)) != ranks.size:
            raise RuntimeError("DeviceMesh cannot have duplicate values")
        if not is_initialized():
            init_process_group()
        if ranks.size and int(ranks.max()) >= default_group().size():
            raise RuntimeError(
                f"Mesh should not be bigger than default world size "
                f"{default_group().size()}, but found {ranks.size} ranks!"
            )
        self._groups = self._make_groups() if _groups is None else _groups
        own_stride = [int(np.prod(self.shape[dim + 1 :])) for dim in range(self.ndim)]
        self._stride = own_stride if _stride is None else list(_stride)

    @staticmethod
    def from_group(
        group: ProcessGroup | Sequence[ProcessGroup],
        device_type: str,
        mesh: Any = None,
        *,
        mesh_dim_names: Sequence[str] | None = None,
    ) -> DeviceMesh:
        """A grid along whose dimensions this rank's groups are those given.

        Args:
            group: a group, or one for each dimension.
            mesh: the ranks; needed for several groups.
            mesh_dim_names: a name for each dimension; needed for several groups.

        Raises:
            ValueError: for no group, for several without the ranks and the names, or
                for ranks that are not those of the group.
        """
        if isinstance(group, ProcessGroup):
            ranks = list(group.ranks)
            given = ranks if mesh is None else np.asarray(mesh).tolist()
            if given != ranks:
                raise ValueError(
                    f"Invalid mesh {given} for ProcessGroup with ranks {ranks}"
                )
            groups, mesh = [group], ranks
        else:
            groups = list(group)
            if not groups:
                raise ValueError("Expects at least one ProcessGroup to be passed")
            if mesh is None or mesh_dim_names is None:
                missing = "mesh" if mesh is None else "mesh_dim_names"
                raise ValueError(
                    f"Must pass {missing} if passing multiple ProcessGroups"
                )
            if np.ndim(mesh) != len(groups):
                raise ValueError(
                    "Expects mesh with ndim equal to number of ProcessGroups but got "
                    f"mesh {np.asarray(mesh).tolist()} and {len(groups)} ProcessGroups"
                )
        return DeviceMesh(
            device_type, mesh, mesh_dim_names=mesh_dim_names, _groups=groups
        )

    def _make_groups(self) -> list[Any]:
        """For each dimension the group of the ranks that differ in it alone."""
        array, rank = self.mesh._data, default_group().rank()
        own: list[Any] = []
        for dim in range(array.ndim):
            lines = np.moveaxis(array, dim, -1).reshape(-1, array.shape[dim])
            made = [(line, new_group(line.tolist())) for line in lines]
            own.append(next((g for line, g in made if rank in line), None))
        return own

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return int(self.mesh._data.ndim)

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return tuple(self.mesh._data.shape)

    def size(self, mesh_dim: int | None = None) -> int:
        """The number of ranks, in all or along a dimension."""
        return int(self.mesh._data.size if mesh_dim is None else self.shape[mesh_dim])

    def _dim(self, mesh_dim: int | str | None) -> int:
        if mesh_dim is None:
            if self.ndim > 1:
                raise RuntimeError(
                    "Found the DeviceMesh have "
                    f"{self.ndim} dimensions Optional kwarg `mesh_dim` needs to be "
                    "specified when device_mesh.ndim > 1."
                )
            return 0
        if isinstance(mesh_dim, int):
            return mesh_dim
        if mesh_dim not in (self.mesh_dim_names or ()):
            raise KeyError(
                f"Mesh dimension '{mesh_dim}' does not exist.",
                f"Available mesh dimensions are: mesh_dim_names={self.mesh_dim_names}",
            )
        return (self.mesh_dim_names or ()).index(mesh_dim)

    def get_group(self, mesh_dim: int | str | None = None) -> ProcessGroup:
        """The group of this rank along a dimension."""
        found: ProcessGroup = self._groups[self._dim(mesh_dim)]
        return found

    def get_all_groups(self) -> list[ProcessGroup]:
        """The groups of this rank along all dimensions."""
        return list(self._groups)

    def get_rank(self) -> int:
        """The number of this process in the world."""
        return default_group().rank()

    def get_local_rank(self, mesh_dim: int | str | None = None) -> int:
        """The place of this rank along a dimension."""
        return self.get_group(mesh_dim).rank()

    def get_coordinate(self) -> list[int] | None:
        """The place of this rank in the grid; None if it is not there."""
        found = np.argwhere(self.mesh._data == self.get_rank())
        return [int(i) for i in found[0]] if len(found) else None

    def __getitem__(self, names: str | tuple[str, ...]) -> DeviceMesh:
        """The part of the grid through this rank along the named dimensions.

        Raises:
            RuntimeError: if dimensions have no names.
            KeyError: for a name that does not exist, or names in another order.
        """
        if not self.mesh_dim_names:
            raise RuntimeError("Cannot slice a DeviceMesh without mesh_dim_names!")
        chosen = (names,) if isinstance(names, str) else tuple(names)
        if not set(chosen) <= set(self.mesh_dim_names):
            raise KeyError(
                f"Invalid mesh_dim_names {chosen} specified. Valid mesh_dim_names are "
                f"{list(self.mesh_dim_names)}."
            )
        dims = [self._dim(name) for name in chosen]
        if dims != sorted(dims):
            raise KeyError(
                f"Invalid mesh_dim_names {chosen} specified. Mesh dim indices should "
                "be in ascending order."
            )
        place = self.get_coordinate() or [0] * self.ndim
        index = tuple(slice(None) if d in dims else place[d] for d in range(self.ndim))
        return DeviceMesh(
            self.device_type,
            self.mesh._data[index],
            mesh_dim_names=chosen,
            _groups=[self._groups[d] for d in dims],
            _stride=[self._stride[d] for d in dims],
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DeviceMesh)
            and self.device_type == other.device_type
            and self.mesh_dim_names == other.mesh_dim_names
            and np.array_equal(self.mesh._data, other.mesh._data)
        )

    def __hash__(self) -> int:
        return hash((self.device_type, self.mesh_dim_names, self.mesh._data.tobytes()))

    def __repr__(self) -> str:
        shape = str(self.shape)
        if self.mesh_dim_names:
            pairs = zip(self.mesh_dim_names, self.shape, strict=True)
            shape = f"({', '.join(f'{name}={size}' for name, size in pairs)})"
        steps = zip(self._stride, self.shape, strict=True)
        stride = tuple(step if size > 1 else () for step, size in steps)
        return f"DeviceMesh({shape}, '{self.device_type}', stride={stride})"


def init_device_mesh(
    device_type: str,
    mesh_shape: Sequence[int],
    *,
    mesh_dim_names: Sequence[str] | None = None,
) -> DeviceMesh:
    """A grid of all ranks in their order; joins the world if that was not done.

    Raises:
        RuntimeError: if the names are not different, or not one for each dimension.

    Example:
        >>> import edutorch as torch
        >>> dist = torch.distributed
        >>> dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        >>> dist.init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp"))
        DeviceMesh((dp=1, tp=1), 'cpu', stride=((), ()))
        >>> dist.destroy_process_group()
    """
    if mesh_dim_names is not None:
        if len(set(mesh_dim_names)) != len(mesh_dim_names):
            raise RuntimeError(
                "Each mesh_dim_name must be unique. Found repeated mesh_dim_name in "
                f"mesh_dim_names {mesh_dim_names}"
            )
        if len(mesh_dim_names) != len(mesh_shape):
            raise RuntimeError(
                "mesh_shape and mesh_dim_names should have same length! Found "
                f"len(mesh_dim_names): {len(mesh_dim_names)} and "
                f"len(mesh_shape):{len(mesh_shape)}."
            )
    ranks = np.arange(int(np.prod(mesh_shape))).reshape(tuple(mesh_shape))
    return DeviceMesh(device_type, ranks, mesh_dim_names=mesh_dim_names)
