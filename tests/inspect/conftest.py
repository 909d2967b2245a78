"""Fixtures of the recorders' tests."""

import pytest


@pytest.fixture
def first_step_only(monkeypatch):
    """Values of the first steps are summarised as sparingly as those of later ones."""
    monkeypatch.setattr("edutorch.inspect.value_sampling.FREE", 0.0)
