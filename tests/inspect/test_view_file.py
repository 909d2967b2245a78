"""Run files: written whole, read back equal, and nothing forged gets through."""

from __future__ import annotations

import io
import json
import os
import random
import zipfile

import pytest

from edutorch.inspect import pack_views, read_views, view_file, write_views
from tests.inspect.test_view_schemas import TRUE

ENTRIES = [{"kind": k, "title": f"the {k}", "data": data} for k, data in TRUE.items()]


def forged(tmp_path, members):
    path = tmp_path / "forged.edu"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def head(**changes):
    views = [{"kind": "gradient", "title": ""}]
    whole = {"format": "edutorch run", "version": 1, "views": views}
    return json.dumps(whole | changes)


def test_file_gives_back_what_was_written(tmp_path):
    path = write_views(tmp_path / "run.edu", ENTRIES)
    assert read_views(path) == json.loads(json.dumps(ENTRIES))
    assert os.listdir(tmp_path) == ["run.edu"]  # noqa: PTH208 (names are enough)


def test_file_when_the_disk_fails_stays_as_it_was(tmp_path, monkeypatch):
    path = write_views(tmp_path / "run.edu", ENTRIES[:1])
    old = path.read_bytes()

    def full(_descriptor):
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_views(path, ENTRIES)
    assert path.read_bytes() == old


def test_data_that_do_not_fit_are_not_written():
    with pytest.raises(ValueError, match="'layers' is missing"):
        pack_views([{"kind": "gradient", "title": "", "data": {"v": 1, "rev": 1}}])
    data = TRUE["gradient"] | {"norms": [[float("nan")] * 4] * 3}
    with pytest.raises(ValueError, match="JSON"):
        pack_views([{"kind": "gradient", "title": "", "data": data}])


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({}, "run.json is missing"),
        ({"run.json": "[]"}, "expected dict, got list"),
        ({"run.json": "{"}, "forged.edu: "),
        ({"run.json": "[" * 100_000}, "nested too deeply|forged.edu"),
        ({"run.json": "NaN"}, "NaN is not JSON"),
        ({"run.json": b"\xff\xfe"}, "forged.edu: "),
        ({"run.json": head(format="other")}, "expected the format"),
        ({"run.json": head(version=2)}, "written by a newer edutorch"),
        ({"run.json": head()}, "view0.json is missing"),
        ({"run.json": head(), "view0.json": "{}"}, "'v' is missing"),
        (
            {"run.json": head(views=[{"kind": "os", "title": ""}]), "view0.json": "{}"},
            "expected a view of",
        ),
        (
            {"run.json": head(views=[{"kind": "graph", "title": ""}] * 65)},
            "at most 64 views",
        ),
    ],
)
def test_forged_file_is_refused_with_its_reason(tmp_path, members, words):
    with pytest.raises(ValueError, match=words):
        read_views(forged(tmp_path, members))


def test_file_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(view_file, "LARGEST", 1000)
    path = forged(tmp_path, {"run.json": head(), "view0.json": " " * 10_000})
    with pytest.raises(ValueError, match="more than 1,000 bytes"):
        read_views(path)


def test_file_that_is_no_zip_or_is_missing_is_refused(tmp_path):
    (tmp_path / "x.edu").write_bytes(b"not a zip")
    with pytest.raises(ValueError, match="not a file of views, or is damaged"):
        read_views(tmp_path / "x.edu")
    with pytest.raises(FileNotFoundError):
        read_views(tmp_path / "none.edu")


def test_file_with_any_byte_changed_or_cut_is_read_right_or_refused(tmp_path):
    content = pack_views(ENTRIES)
    expected = json.loads(json.dumps(ENTRIES))
    rng, refused = random.Random(7), 0
    for _ in range(1000):
        damaged = bytearray(content)
        if rng.random() < 0.3:
            del damaged[rng.randrange(len(damaged)) :]
        else:
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        path = tmp_path / "damaged.edu"
        path.write_bytes(damaged)
        try:
            assert read_views(path) == expected
        except ValueError:
            refused += 1
    assert refused > 600


def test_nothing_is_unpacked_outside(tmp_path):
    names = {"../evil.json": "{}", "run.json": head(views=[])}
    assert read_views(forged(tmp_path, names)) == []
    assert not (tmp_path.parent / "evil.json").exists()
    assert zipfile.is_zipfile(io.BytesIO(pack_views([])))
