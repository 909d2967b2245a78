"""Models from folders, and checkpoints by their address."""

from __future__ import annotations

import hashlib
import sys
from urllib.error import URLError

import pytest

import edutorch as torch

CONF = '''
import helper
dependencies = ["torch", {needed}]

def net(n, twice=False):
    """A number."""
    return n * (2 if twice else 1) + helper.ONE

def _hidden():
    pass

answer = 42
'''


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache that nobody else knows."""
    monkeypatch.setattr(torch.hub, "_chosen", str(tmp_path / "hub"))
    monkeypatch.delitem(sys.modules, "helper", raising=False)
    return tmp_path / "hub"


def repository(folder, needed='"os"'):
    folder.mkdir(parents=True)
    (folder / "hubconf.py").write_text(CONF.format(needed=needed))
    (folder / "helper.py").write_text("ONE = 1\n")
    return folder


def test_folder_is_loaded_and_leaves_the_path_as_it_was(cache, tmp_path):
    before = list(sys.path)
    folder = repository(tmp_path / "repo")
    assert torch.hub.load(str(folder), "net", 4, source="local", twice=True) == 9
    assert sys.path == before


def test_repository_in_the_cache_is_loaded_listed_and_explained(cache):
    repository(cache / "owner_name_main")
    repository(cache / "owner_name_v1_0")
    assert torch.hub.load("owner/name", "net", 1) == 2
    assert torch.hub.load("owner/name:v1.0", "net", 1) == 2
    assert torch.hub.list("owner/name") == ["net"]
    assert torch.hub.help("owner/name", "net") == "A number."


@pytest.mark.parametrize(
    "github", ["owner/name", "owner/name:v9", "a", "a/b/c", "../x", "a/..:../..", "/"]
)
def test_what_is_not_in_the_cache_is_refused(cache, github):
    with pytest.raises(RuntimeError, match=r"not in the cache|no repository"):
        torch.hub.load(github, "net")


def test_download_is_refused(cache):
    repository(cache / "owner_name_main")
    with pytest.raises(RuntimeError, match="downloads no code"):
        torch.hub.load("owner/name", "net", 1, force_reload=True)


def test_wrong_arguments_are_refused_with_pytorchs_message(cache, tmp_path):
    folder = str(repository(tmp_path / "repo"))
    with pytest.raises(ValueError, match='Unknown source: "web"'):
        torch.hub.load(folder, "net", source="web")
    with pytest.raises(RuntimeError, match="Cannot find callable answer in hubconf"):
        torch.hub.load(folder, "answer", source="local")
    with pytest.raises(ValueError, match="model should be a string"):
        torch.hub.load(folder, 5, source="local")
    with pytest.raises(FileNotFoundError):
        torch.hub.load(str(tmp_path), "net", source="local")
    poor = str(repository(tmp_path / "poor", '"no_such_package"'))
    with pytest.raises(RuntimeError, match="Missing dependencies: no_such_package"):
        torch.hub.load(poor, "net", source="local")


def test_folder_of_the_cache_is_told_and_set(monkeypatch, tmp_path):
    monkeypatch.setattr(torch.hub, "_chosen", None)
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    assert torch.hub.get_dir() == str(tmp_path / "hub")
    monkeypatch.delenv("TORCH_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert torch.hub.get_dir() == str(tmp_path / "torch" / "hub")
    torch.hub.set_dir(tmp_path)
    assert torch.hub.get_dir() == str(tmp_path)


def test_checkpoint_is_fetched_once(cache, tmp_path, capsys):
    source = tmp_path / "net.pt"
    torch.save({"w": torch.ones(2)}, source)
    address = source.as_uri()
    for _ in range(2):
        found = torch.hub.load_state_dict_from_url(address, progress=False)
        assert found["w"].tolist() == [1, 1]
        source.unlink(missing_ok=True)
    assert capsys.readouterr().err.count("Downloading") == 1
    assert [p.name for p in (cache / "checkpoints").iterdir()] == ["net.pt"]


def test_hash_in_the_name_is_compared(cache, tmp_path):
    (tmp_path / "plain").write_bytes(b"x")
    torch.save(1, tmp_path / "a")
    digest = hashlib.sha256((tmp_path / "a").read_bytes()).hexdigest()
    right, wrong = tmp_path / f"net-{digest[:8]}.pt", tmp_path / "net-00000000.pt"
    for path in (right, wrong):
        path.write_bytes((tmp_path / "a").read_bytes())
    assert torch.hub.load_state_dict_from_url(right.as_uri(), check_hash=True) == 1
    with pytest.raises(RuntimeError, match="invalid hash value"):
        torch.hub.load_state_dict_from_url(wrong.as_uri(), check_hash=True)
    left = [p.name for p in (cache / "checkpoints").iterdir()]
    assert left == [right.name]


def test_address_that_leads_nowhere_leaves_no_file(cache, tmp_path):
    with pytest.raises(URLError):
        torch.hub.load_state_dict_from_url((tmp_path / "nothing.pt").as_uri())
    assert not list((cache / "checkpoints").iterdir())
