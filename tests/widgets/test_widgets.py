"""The package's public names."""

from __future__ import annotations

import edutorch.widgets
from edutorch.widgets import GradientView, GraphView, MemoryView, live


def test_widgets_when_imported_offer_three_views_and_live_controls():
    names = {GradientView.kind, GraphView.kind, MemoryView.kind}
    assert names == {"gradient", "graph", "memory"}
    assert edutorch.widgets.live is live
    assert hasattr(live, "pause")
