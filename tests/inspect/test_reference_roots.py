"""What can be named comes first."""

from __future__ import annotations

import sys

from edutorch.inspect.reference_roots import groups_of_roots, locals_of, module_dicts


def test_groups_begin_with_variables_and_end_with_frames_of_libraries():
    mine = object()
    groups = list(groups_of_roots())
    kinds = [{root.kind for root in group} for group in groups]
    assert kinds[0] <= {"variable"}
    assert kinds[-3] == {"local"}
    assert kinds[-2] == {"module"}
    assert kinds[-1] <= {"frame"}
    (root,) = [r for r in groups[-3] if r.value is mine]
    assert root.code == "mine"
    assert "test_groups_begin" in root.words


def test_variables_of_a_frame_leave_no_copy_behind():
    def inside():
        here = object()
        return sys.getrefcount(here), locals_of(sys._getframe()), here

    before, found, here = inside()
    assert found["here"] is here
    del found
    assert sys.getrefcount(here) <= before


def test_dictionaries_of_modules_are_known():
    assert module_dicts()[id(vars(sys))] == "sys"
