"""Optional libraries are loaded on first use."""

import subprocess
import sys

import pytest

from edutorch.kernels.lazy_modules import LazyModule


def test_lazy_module_before_use_is_not_imported():
    assert "not loaded" in repr(LazyModule("xmlrpc.client_of_nothing"))


def test_lazy_module_attribute_comes_from_the_library():
    assert LazyModule("math").sqrt(4.0) == 2.0


def test_lazy_module_missing_library_fails_when_used():
    with pytest.raises(ModuleNotFoundError):
        _ = LazyModule("no_such_library").anything


def test_kernels_import_without_scipy():
    code = "import sys, edutorch.kernels.conv; print('scipy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert run.stdout.strip() == b"False"


def test_lazy_module_special_attributes_do_not_load_the_library():
    assert not hasattr(LazyModule("no_such_library"), "__wrapped__")
