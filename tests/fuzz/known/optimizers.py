"""Accepted differences in optimizers, each with its reason."""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"optim\.Muon\(",
        "value",
        "directions are computed in bfloat16, in which one rounding may go the other way",
        cause="last digits",
    ),
    Known(
        r"float16(.*\n)*.*\.(SGD|Adagrad)\(.*fused=True",
        "value",
        "PyTorch leaves blocks of 16 elements as they were, or rounds settings first",
    ),
    Known(
        r"RMSprop\(.*(alpha=0(\.0*)?[,)].*centered=[T(12f-]|centered=[T(12f-].*alpha=0(\.0*)?[,)])",
        "value",
        "without averaging, the variance is the difference of two equal numbers, whose "
        "rounding decides the root",
    ),
    Known(
        r"LBFGS\(.*line_search_fn='strong_wolfe'",
        "value",
        "near the minimum, roundings decide where the search goes on",
        cause="line search",
    ),
)
