"""OpenMP is not used."""

from edutorch.backends import openmp


def test_openmp_is_absent():
    assert openmp.is_available() is False
