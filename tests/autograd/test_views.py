"""Views: their path from the base, and their history."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd import conj_neg_views, view_history, views


def test_views_are_served_by_the_files_that_need_dispatch():
    assert views.replay is view_history._replay
    assert views.run_lazily is conj_neg_views.run_lazily


def test_link_view_shares_the_storage_and_knows_the_path_from_the_base():
    x = torch.arange(6.0)
    rows = x.view(2, 3)
    row = rows[1]
    assert row._base is x and row._storage is x.untyped_storage()
    assert [type(step).__name__ for step in row._views] == ["View", "Select"]


def test_refresh_view_gives_the_history_that_the_base_has_now():
    x = torch.ones(4, requires_grad=True)
    y = x * 2
    view = y[:2]
    y.mul_(3)
    before = view._grad_fn
    views.refresh_view(view)
    assert view._grad_fn is not before
    view.sum().backward()
    assert x.grad.tolist() == [6.0, 6.0, 0.0, 0.0]


def test_history_of_a_view_is_no_matter_where_there_is_no_derivative():
    x = torch.arange(6.0, requires_grad=True).reshape(2, 3) * 1
    row = x.unbind()[0]
    with torch.no_grad():
        x.mul_(2)
    assert (row > 2).tolist() == [False, False, True]
    assert row.long().tolist() == [0, 2, 4] and row.argmax().item() == 2
    with pytest.raises(RuntimeError, match="its base or another view of its base"):
        row * 2
