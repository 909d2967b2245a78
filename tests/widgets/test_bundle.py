"""The bundle is there once, whatever number of views refer to it."""

from __future__ import annotations

import base64
import gc
import gzip
import time
import weakref

import ipywidgets

from edutorch.widgets import GraphView, MemoryView
from edutorch.widgets.bundle import STATIC, bundle
from edutorch.widgets.live import Live, LiveButtons


def test_bundle_when_unpacked_is_the_built_file():
    text = gzip.decompress(base64.b64decode(bundle().packed))
    assert text == (STATIC / "widgets.js").read_bytes()


def test_views_when_made_share_one_bundle():
    views = GraphView(), MemoryView("cpu"), LiveButtons(Live())
    assert {view.get_state()["bundle"] for view in views} == {
        f"IPY_MODEL_{bundle().model_id}"
    }
    for view in views:
        view.close()


def test_view_when_made_holds_no_program_but_the_loader():
    with MemoryView("cpu") as view:
        assert len(view.get_state()["_esm"]) < 1500


def test_bundle_when_all_widgets_were_closed_is_made_anew_under_its_id():
    before = bundle()
    name = before.model_id
    before.close()
    after = bundle()
    assert after is not before
    assert after.model_id == name
    assert isinstance(after, ipywidgets.Widget)
    assert after.comm is not None


def test_view_when_closed_is_freed_with_its_data():
    view = MemoryView("cpu")
    view.close()
    freed = weakref.ref(view)
    del view
    last = time.monotonic() + 20.0
    while freed() is not None and time.monotonic() < last:
        gc.collect()  # the thread that draws may hold it for a moment
    assert freed() is None


def test_data_are_sent_as_they_are_and_other_traits_as_by_ipywidgets(monkeypatch):
    with MemoryView("cpu") as view:
        sent = []
        monkeypatch.setattr(
            view, "_send", lambda message, buffers=None: sent.append((message, buffers))
        )
        view.data = shown = view.data | {"extra": [1, 2]}
        view.status = "a remark"
        sent.clear()  # whether traits are sent at once depends on the kernel
        view.send_state("data")
        view.send_state("status")
    data, status = sent[:2]  # closing sends more
    state = {"data": shown}
    assert data == ({"method": "update", "state": state, "buffer_paths": []}, None)
    assert status[0]["state"] == {"status": "a remark"}
    assert status[0]["buffer_paths"] == []
