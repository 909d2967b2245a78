"""Members of tar files: plain ones only, and as long as they say."""

from __future__ import annotations

import io
import tarfile
from pickle import UnpicklingError

import pytest

from edutorch.serialization.tar import is_tar, members


def tar(*parts, form=tarfile.PAX_FORMAT, **about):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:", format=form) as made:
        for name, data in parts:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            for key, value in about.items():
                setattr(info, key, value)
            made.addfile(info, io.BytesIO(data))
    file.seek(0)
    return file


@pytest.mark.parametrize(
    "form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT]
)
def test_members_are_read(form):
    file = tar(("a", b"x" * 700), ("b", b""), ("c", b"y" * 512), form=form)
    assert is_tar(file)
    found = {name: data.read() for name, data in members(file).items()}
    assert found == {"a": b"x" * 700, "b": b"", "c": b"y" * 512}


def test_attributes_of_members_are_passed_over():
    found = members(tar(("a", b"x"), mtime=0.25))
    assert found["a"].read() == b"x"


@pytest.mark.parametrize(
    "file",
    [
        tar(("a", b"x"), ("a", b"y")),
        tar(("a", b""), type=tarfile.SYMTYPE, linkname="/etc/passwd"),
        tar(("a", b""), type=tarfile.DIRTYPE),
        tar(("a", b""), type=tarfile.GNUTYPE_SPARSE),
        io.BytesIO(tar(("a", b"x" * 5000)).getvalue()[:3000]),
    ],
)
def test_other_members_and_damage_are_refused(file):
    with pytest.raises(UnpicklingError):
        members(file)


def test_size_that_is_no_number_or_too_large_is_refused():
    data = bytearray(tar(("a", b"x")).getvalue())
    for size in (
        b"77777777777\0",
        b"-0000000001\0",
        b"00000abc000\0",
        b"\x80" + b"\xff" * 11,
    ):
        data[124:136] = size
        rest = sum(data[:148]) + sum(data[156:512]) + 8 * 32
        data[148:156] = b"%06o\0 " % rest
        with pytest.raises(UnpicklingError):
            members(io.BytesIO(data))


def test_file_that_is_not_a_tar_archive_is_reported():
    assert not is_tar(io.BytesIO(b"PK\3\4"))
    assert not is_tar(io.BytesIO(bytes(600)))
