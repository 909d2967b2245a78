"""Losses, with the signatures of `nn.functional`.

- `classification.py`: cross_entropy, nll_loss. `targets.py`: checks of targets.
- `binary.py`: binary cross entropy. `margin.py`: hinge, cosine ...
- `margin_nodes.py`: nodes of margin losses that are not composed.
- `triplet.py`: triplet losses. `regression.py`: mse_loss, l1_loss, huber_loss.
- `likelihood.py`: Poisson, Gaussian, KL. `ctc.py`: ctc_loss.
- `linear_cross_entropy.py`, `block_size.py`: a linear map with cross entropy, in
  blocks.
- `reduction.py`: "mean", "sum" or "none".
"""

from .binary import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    multilabel_soft_margin_loss,
    soft_margin_loss,
)
from .classification import cross_entropy, cross_entropy_reference, nll_loss
from .ctc import ctc_loss
from .likelihood import gaussian_nll_loss, kl_div, poisson_nll_loss
from .linear_cross_entropy import linear_cross_entropy
from .margin import (
    cosine_embedding_loss,
    hinge_embedding_loss,
    margin_ranking_loss,
    multi_margin_loss,
    multilabel_margin_loss,
)
from .regression import huber_loss, l1_loss, mse_loss, smooth_l1_loss
from .triplet import triplet_margin_loss, triplet_margin_with_distance_loss

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cosine_embedding_loss",
    "cross_entropy",
    "cross_entropy_reference",
    "ctc_loss",
    "gaussian_nll_loss",
    "hinge_embedding_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "linear_cross_entropy",
    "margin_ranking_loss",
    "mse_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
    "poisson_nll_loss",
    "smooth_l1_loss",
    "soft_margin_loss",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
]
