"""The environment's word on trust."""

from __future__ import annotations

import pickle

import pytest

from edutorch.serialization.environment import weights_only_mode

ALWAYS, NEVER = "TORCH_FORCE_WEIGHTS_ONLY_LOAD", "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"


def test_arguments_decide_where_the_environment_is_silent():
    assert weights_only_mode(None, None)
    assert not weights_only_mode(None, pickle)
    assert not weights_only_mode(False, None)


def test_environment_can_forbid_trust(monkeypatch):
    monkeypatch.setenv(ALWAYS, "y")
    assert weights_only_mode(False, None)


def test_environment_can_trust_where_nothing_is_said(monkeypatch):
    monkeypatch.setenv(NEVER, "True")
    with pytest.warns(UserWarning, match="TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD detected"):
        assert not weights_only_mode(None, None)
    assert weights_only_mode(True, None)


def test_environment_that_says_both_is_refused(monkeypatch):
    monkeypatch.setenv(ALWAYS, "1")
    monkeypatch.setenv(NEVER, "1")
    with pytest.raises(RuntimeError, match="Only one of"):
        weights_only_mode(None, None)
