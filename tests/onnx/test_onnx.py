"""ONNX."""

from __future__ import annotations

import edutorch.onnx


def test_no_export_runs():
    assert not edutorch.onnx.is_in_onnx_export()
