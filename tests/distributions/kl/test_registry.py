"""Which formula belongs to two types of distributions."""

from __future__ import annotations

import pytest

from edutorch.distributions import Categorical, Normal, kl_divergence, register_kl
from edutorch.distributions.kl import registry


@pytest.fixture
def empty_tables(monkeypatch):
    monkeypatch.setattr(registry, "_formulas", {})
    monkeypatch.setattr(registry, "_found", {})


class Mine(Normal):
    pass


def test_divergence_without_a_formula_is_refused():
    p, q = Normal(0.0, 1.0), Categorical(Normal(0.0, 1.0).sample((2,)).exp())
    for _ in range(2):
        with pytest.raises(NotImplementedError, match=r"No KL\(p \|\| q\) is"):
            kl_divergence(p, q)


def test_nearest_formula_is_taken(empty_tables):
    register_kl(Normal, Normal)(lambda p, q: "base")
    assert kl_divergence(Mine(0.0, 1.0), Mine(0.0, 1.0)) == "base"
    register_kl(Mine, Normal)(lambda p, q: "mine")
    assert kl_divergence(Mine(0.0, 1.0), Mine(0.0, 1.0)) == "mine"
    assert kl_divergence(Normal(0.0, 1.0), Mine(0.0, 1.0)) == "base"


def test_equally_near_formulas_are_reported(empty_tables):
    register_kl(Mine, Normal)(lambda p, q: "left")
    register_kl(Normal, Mine)(lambda p, q: "right")
    with pytest.warns(RuntimeWarning, match=r"Please register_kl\(Mine, Mine\)"):
        assert kl_divergence(Mine(0.0, 1.0), Mine(0.0, 1.0)) == "left"


def test_formula_for_other_types_than_distributions_is_refused():
    with pytest.raises(TypeError, match="Expected type_q to be a Distribution"):
        register_kl(Normal, int)
