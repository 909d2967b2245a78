"""What this build is made of."""

from __future__ import annotations

import edutorch as torch


def test_show_names_versions_and_threads():
    assert f"edutorch {torch.__version__}" in torch.__config__.show()
    threads = f"get_num_threads() : {torch.get_num_threads()}"
    assert threads in torch.__config__.parallel_info()
