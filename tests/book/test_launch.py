"""The book's buttons open the chapter's notebook if a repository is named."""

from __future__ import annotations

import pytest

from tests.house.source_tree import script

URL = "https://github.com/someone/edutorch"


@pytest.fixture(scope="module")
def launch():
    return script("book/launch.py")


def test_links_open_the_notebook_of_the_page(launch):
    found = launch.links("chapters/02-autograd", URL)
    assert found == {
        "Binder": "https://mybinder.org/v2/gh/someone/edutorch/main"
        "?urlpath=lab%2Ftree%2Fnotebooks%2F02-autograd.ipynb",
        "Colab": "https://colab.research.google.com/github/someone/edutorch/blob/main/"
        "notebooks/02-autograd.ipynb",
    }


@pytest.mark.parametrize("end", ["", "/", ".git"])
def test_address_is_read_as_it_is_copied(launch, end):
    plain = launch.links("chapters/01-tensors", URL)
    assert launch.links("chapters/01-tensors", URL + end) == plain


def test_branch_is_named_behind_the_address(launch):
    found = launch.links("chapters/01-tensors", f"{URL}@my/branch")
    assert all("/my%2Fbranch" in address for address in found.values())


def test_pages_without_a_notebook_have_no_button(launch):
    assert launch.buttons("reference/nn", URL) == []
    assert launch.buttons("chapters/01-tensors", "") == []


def test_address_of_another_kind_is_refused(launch):
    with pytest.raises(ValueError, match="no repository on GitHub"):
        launch.links("chapters/01-tensors", "git@github.com:someone/edutorch")


def test_buttons_are_added_to_those_of_the_theme(launch, monkeypatch):
    monkeypatch.setenv("EDUTORCH_REPOSITORY", URL)
    context = {"header_buttons": [{"label": "theme"}]}
    launch.add_buttons(None, "chapters/01-tensors", "page.html", context, None)
    labels = [button["label"] for button in context["header_buttons"]]
    assert labels == ["theme", "open-in-binder", "open-in-colab"]
