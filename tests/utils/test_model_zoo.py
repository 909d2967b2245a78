"""The older name of `hub`."""

from __future__ import annotations

import edutorch as torch
from edutorch.utils import model_zoo


def test_load_url_is_hubs():
    assert model_zoo.load_url is torch.hub.load_state_dict_from_url
