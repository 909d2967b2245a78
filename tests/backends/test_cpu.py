"""The processor."""

from edutorch.backends import cpu


def test_processor_has_one_of_the_known_instructions():
    assert cpu.get_cpu_capability() in ("AVX512", "AVX2", "DEFAULT")
