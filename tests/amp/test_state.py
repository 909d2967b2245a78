"""Switches of autocast."""

import pytest

import edutorch as torch


@pytest.fixture(autouse=True)
def _as_before():
    yield
    torch.set_autocast_enabled("cpu", False)
    torch.set_autocast_dtype("cpu", torch.bfloat16)
    torch.set_autocast_cache_enabled(True)


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [("cpu", "bfloat16"), ("cuda", "float16"), ("mps", "float16"), ("xla", "bfloat16")],
)
def test_state_begins_off_with_pytorch_s_dtypes(kind, dtype):
    assert torch.amp.is_autocast_available(kind)
    assert not torch.is_autocast_enabled(kind)
    assert str(torch.get_autocast_dtype(kind)) == f"torch.{dtype}"


def test_state_switched_by_hand_casts_until_switched_off():
    x = torch.ones(1, 1)
    torch.set_autocast_enabled("cpu", True)
    torch.set_autocast_dtype("cpu", torch.float16)
    assert (x @ x).dtype is torch.float16
    torch.set_autocast_enabled("cpu", False)
    assert (x @ x).dtype is torch.float32


def test_state_without_a_kind_means_gpus():
    torch.set_autocast_enabled(True)
    assert torch.is_autocast_enabled()
    assert not torch.is_autocast_enabled("cpu")
    torch.set_autocast_enabled(False)


def test_state_counts_blocks():
    assert torch.autocast_increment_nesting() == 1
    assert torch.autocast_decrement_nesting() == 0


def test_state_of_the_cache_is_a_switch():
    torch.set_autocast_cache_enabled(False)
    assert not torch.is_autocast_cache_enabled()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: torch.is_autocast_enabled("meta"), "unknown device type for autocast"),
        (lambda: torch.get_autocast_dtype("meta"), "unsupported scalarType"),
        (lambda: torch.amp.is_autocast_available("foo"), "Expected one of cpu, cuda"),
    ],
)
def test_state_of_other_devices_is_refused(call, words):
    with pytest.raises(RuntimeError, match=f"^{words}"):
        call()


OLD = [
    ("is_autocast_cpu_enabled", (), False),
    ("set_autocast_cpu_enabled", (False,), None),
    ("get_autocast_cpu_dtype", (), torch.bfloat16),
    ("set_autocast_cpu_dtype", (torch.bfloat16,), None),
    ("get_autocast_gpu_dtype", (), torch.float16),
    ("set_autocast_gpu_dtype", (torch.float16,), None),
]


@pytest.mark.parametrize(("name", "args", "answer"), OLD)
def test_state_has_old_names_that_warn(name, args, answer):
    with pytest.warns(DeprecationWarning, match=rf"^torch\.{name}\(\) is deprecated"):
        assert getattr(torch, name)(*args) is answer


DEVICE = r"argument 'device_type' \(position 1\) must be str, not"


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        ("is_autocast_enabled", (3,), rf"^is_autocast_enabled\(\): {DEVICE} int$"),
        ("get_autocast_dtype", (torch.device("cpu"),), rf"{DEVICE} torch.device$"),
        ("set_autocast_enabled", ("cpu", 1), r"'enabled' \(position 2\) must be bool"),
        ("set_autocast_enabled", ("cpu", None), "must be bool, not NoneType$"),
        ("set_autocast_enabled", (1,), r"'enabled' \(position 1\) must be bool"),
        ("set_autocast_enabled", (), "received an invalid combination of arguments"),
        ("set_autocast_dtype", ("cpu", "bfloat16"), "must be torch.dtype, not str$"),
        ("set_autocast_dtype", (3, torch.float16), rf"{DEVICE} int$"),
        ("set_autocast_cache_enabled", (3,), r"^enabled must be a bool \(got int\)$"),
        ("set_autocast_cpu_enabled", (3,), r"^enabled must be a bool \(got int\)$"),
        ("set_autocast_cpu_dtype", (3,), r"^dtype must be a torch.dtype \(got int\)$"),
        ("set_autocast_gpu_dtype", (3,), r"^dtype must be a torch.dtype \(got int\)$"),
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_switches_refuse_other_types(function, arguments, words):
    with pytest.raises(TypeError, match=words):
        getattr(torch, function)(*arguments)
    assert not torch.is_autocast_enabled("cpu")


def test_availability_is_asked_for_a_kind_of_device():
    with pytest.raises(TypeError, match=rf"^_is_autocast_available\(\): {DEVICE} int"):
        torch.amp.is_autocast_available(3)
