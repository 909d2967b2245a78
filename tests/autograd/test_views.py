"""What the gate asks of views that few programs have."""

from __future__ import annotations

from edutorch.autograd import lazy, strided, views


def test_views_are_served_by_the_files_that_need_the_gate():
    assert views.replayed is strided._replayed
    assert views.run_lazily is lazy.run_lazily
