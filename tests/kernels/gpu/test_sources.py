"""CUDA sources: NVRTC compiles every one, without a GPU."""

import importlib
import pkgutil

import pytest

import edutorch.kernels.gpu
from edutorch.kernels.gpu.sources import OPTIONS, blocks, sources

for found in pkgutil.iter_modules(edutorch.kernels.gpu.__path__):
    importlib.import_module(f"edutorch.kernels.gpu.{found.name}")


@pytest.fixture(scope="module")
def nvrtc():
    pytest.importorskip("cupy", reason="needs CuPy")
    from cupy.cuda import nvrtc

    try:
        nvrtc.getVersion()
    except Exception as error:
        pytest.skip(f"needs CuPy's NVRTC: {error}")
    return nvrtc


def compiled(nvrtc, code):
    """The machine code of a source, as text; raises with the compiler's log."""
    program = nvrtc.createProgram(code, "source.cu", [], [])
    options = [*OPTIONS, "--gpu-architecture=compute_80"]
    try:
        nvrtc.compileProgram(program, options)
    except Exception:
        raise AssertionError(nvrtc.getProgramLog(program)) from None
    text = nvrtc.getPTX(program)
    return text.decode() if isinstance(text, bytes) else text


@pytest.mark.parametrize("name", sources)
def test_source_compiles_and_has_its_kernels(nvrtc, name):
    text = compiled(nvrtc, sources[name].code)
    for kernel in sources[name].kernels:
        assert f".entry {kernel}(" in text


def test_source_with_an_error_is_refused(nvrtc):
    with pytest.raises(AssertionError, match="undefined"):
        compiled(nvrtc, "__global__ void f() { int x = y; }")


@pytest.mark.parametrize(("n", "grid"), [(0, 1), (1, 1), (256, 1), (257, 2)])
def test_blocks_cover_all_elements(n, grid):
    assert blocks(n) == ((grid,), (256,))
