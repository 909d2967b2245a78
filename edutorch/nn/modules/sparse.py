"""Embeddings: tables whose rows are looked up by index."""

from __future__ import annotations

from typing import Any

from ...autograd.modes import no_grad
from ...tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..factories import empty_parameter
from ..parameter import Parameter
from .module import Module

__all__ = ["Embedding", "EmbeddingBag"]


def _padding(index: int | None, n: int, name: str = "Padding_idx") -> int | None:
    """The index, counted from the front, of the row that is not trained."""
    if index is None:
        return None
    # 0 is accepted even for an empty table.
    if (index > 0 and index >= n) or (index < 0 and index < -n):
        raise AssertionError(f"{name} must be within num_embeddings")
    return index if index >= 0 else index + n


class _Table(Module):
    """Base class of embedding layers: the table, its initialisation and its repr."""

    padding_idx: int | None

    def _set_table(
        self,
        rows: int,
        columns: int,
        given: Tensor | None,
        device: Any,
        dtype: Any,
        freeze: bool = False,
    ) -> None:
        self.num_embeddings, self.embedding_dim = rows, columns
        if given is None:
            self.weight = empty_parameter((rows, columns), device, dtype)
            self.weight.requires_grad_(not freeze)
            self.reset_parameters()
            return
        if tuple(given.shape) != (rows, columns):
            raise AssertionError(
                "Shape of weight does not match num_embeddings and embedding_dim"
            )
        self.weight = Parameter(given, not freeze)  # which may be of integers

    def reset_parameters(self) -> None:
        """Reinitialise the table from a normal distribution."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def _shown_settings(self, *names: str) -> list[str]:
        """The sizes, and the settings that differ from the defaults."""
        parts = [f"{self.num_embeddings}, {self.embedding_dim}"]
        defaults = {"padding_idx": None, "max_norm": None, "norm_type": 2}
        for name in names:
            value = getattr(self, name)
            if value != defaults.get(name, False):
                parts.append(f"{name}={value}")
        return parts


def _size_of(embeddings: Tensor) -> tuple[int, int]:
    """The size of a given table."""
    if embeddings.dim() != 2:
        raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
    rows, columns = embeddings.shape
    return rows, columns


class Embedding(_Table):
    """A table of vectors, looked up by integers.

    Math: y = W[i]      ∂L/∂W[i] = Σ g over the uses of i
    Shape: (*) integers -> (*, embedding_dim)
    Reference: Bengio et al., 2003.

    Args:
        padding_idx: a row that starts at zero and gets no gradient.
        max_norm: rows used are first shrunk to this norm, in place.

    Example:
        >>> import edutorch as torch
        >>> rows = torch.tensor([[0.0, 1.0], [2.0, 3.0]])
        >>> table = torch.nn.Embedding.from_pretrained(rows)
        >>> table(torch.tensor([1, 0, 1]))
        tensor([[2., 3.],
                [0., 1.],
                [2., 3.]])
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.padding_idx = _padding(padding_idx, num_embeddings)
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self._set_table(num_embeddings, embedding_dim, _weight, device, dtype, _freeze)

    def forward(self, input: Tensor) -> Tensor:
        """Look up."""
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
            self.scale_grad_by_freq, self.sparse,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """The sizes, and the settings that differ from the defaults."""
        names = ("padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse")
        return ", ".join(self._shown_settings(*names))

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Embedding:
        """A layer with a given table, which is not trained if `freeze` is set."""
        rows, cols = _size_of(embeddings)
        return cls(
            rows, cols, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse,
            embeddings, freeze,
        )  # fmt: skip


class EmbeddingBag(_Table):
    """The sum, mean or maximum of the rows looked up for each bag of integers.

    Math: y = Σ W[i], mean or max over the i of a bag
          ∂L/∂W[k] = Σ g of the bags that k is in, over their size for the mean; for
          max, of the elements that are the maximum
    Shape: (B, n) integers -> (B, embedding_dim)
    Reference: Joulin, Grave, Bojanowski and Mikolov, 2016.

    Example:
        >>> import edutorch as torch
        >>> table = torch.tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
        >>> bags = torch.nn.EmbeddingBag.from_pretrained(table, mode="sum")
        >>> bags(torch.tensor([0, 1, 2]), torch.tensor([0, 2]))  # rows 0 and 1; row 2
        tensor([[2., 4.],
                [4., 5.]])
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self.mode = mode
        self.include_last_offset = include_last_offset
        self.padding_idx = _padding(padding_idx, num_embeddings, "padding_idx")
        self._set_table(num_embeddings, embedding_dim, _weight, device, dtype)

    def forward(
        self,
        input: Tensor,
        offsets: Tensor | None = None,
        per_sample_weights: Any = None,
    ) -> Tensor:
        """Look up and reduce."""
        return F.embedding_bag(
            input, self.weight, offsets, self.max_norm, self.norm_type,
            self.scale_grad_by_freq, self.mode, self.sparse, per_sample_weights,
            self.include_last_offset, self.padding_idx,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """The sizes, and the settings that differ from the defaults."""
        settings = self._shown_settings("max_norm", "norm_type", "scale_grad_by_freq")
        settings.append(f"mode={self.mode!r}")
        if self.padding_idx is not None:
            settings.append(f"padding_idx={self.padding_idx}")
        return ", ".join(settings)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> EmbeddingBag:
        """A layer with a given table, which is not trained if `freeze` is set."""
        rows, cols = _size_of(embeddings)
        made = cls(
            rows, cols, max_norm, norm_type, scale_grad_by_freq, mode, sparse,
            embeddings, include_last_offset, padding_idx,
        )  # fmt: skip
        made.weight.requires_grad = not freeze
        return made
