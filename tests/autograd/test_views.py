"""What dispatch needs for views that few programs have."""

from __future__ import annotations

from edutorch.autograd import conj_neg_views, view_history, views


def test_views_are_served_by_the_files_that_need_the_gate():
    assert views.replayed is view_history._replayed
    assert views.run_lazily is conj_neg_views.run_lazily
