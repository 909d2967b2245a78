"""Switches of PyTorch's libraries."""

import pytest

import edutorch as torch


def test_deterministic_algorithms_are_read_back():
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        assert torch.are_deterministic_algorithms_enabled()
        assert torch.is_deterministic_algorithms_warn_only_enabled()
    finally:
        torch.use_deterministic_algorithms(False)
    assert not torch.are_deterministic_algorithms_enabled()


def test_matmul_precision_of_another_word_is_refused():
    with pytest.raises(RuntimeError, match="Unknown float32 matmul precision 'low'"):
        torch.set_float32_matmul_precision("low")
    assert torch.get_float32_matmul_precision() == "highest"


def test_deterministic_debug_mode_is_read_back_as_a_number():
    for mode, number in (("warn", 1), ("error", 2), (1, 1), ("default", 0)):
        torch.set_deterministic_debug_mode(mode)
        assert torch.get_deterministic_debug_mode() == number
    for wrong in ("never", 3):
        with pytest.raises(RuntimeError, match="invalid value of debug_mode"):
            torch.set_deterministic_debug_mode(wrong)


def test_warn_always_is_read_back_and_denormals_stay():
    torch.set_warn_always(True)
    assert torch.is_warn_always_enabled()
    torch.set_warn_always(False)
    assert torch.set_flush_denormal(True) is False
