"""Names for positions in records."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import events
from edutorch.inspect import event_fields, record


def test_position_when_asked_for_a_field_is_where_as_dict_reads_it():
    with record() as r:
        torch.ones(2) * 3
    for entry in r.events:
        for name, value in events.as_dict(entry).items():
            if name in events.FIELDS[entry[0]]:
                assert entry[event_fields.position(entry[0], name)] == value


def test_position_when_the_field_is_unknown_raises():
    with pytest.raises(ValueError):
        event_fields.position("op", "no such field")
