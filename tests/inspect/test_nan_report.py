"""A finding as JSON and as words; findings of models are in test_nan_trail.py."""

from __future__ import annotations

import json

import edutorch as torch
from edutorch.inspect import NanTrailRecorder
from edutorch.inspect.nan_report import FIRST, LAST, describe_origin


def test_long_way_loses_its_middle_and_says_so():
    with NanTrailRecorder() as recorder:
        x = torch.tensor([-1.0]).log()
        for _ in range(100):
            x = x + 1
    finding = recorder.series()["finding"]
    assert len(finding["trail"]) == FIRST + LAST
    assert finding["left_out"] == 101 - FIRST - LAST
    assert finding["trail"][0]["name"] == "log"


def test_finding_is_json_without_nan():
    with NanTrailRecorder() as recorder:
        torch.tensor([-1.0]).log()
    text = json.dumps(recorder.series(), allow_nan=False)
    assert json.loads(text)["finding"]["trail"][0]["result"]["min"] is None


def test_words_of_an_error_tell_step_line_and_ranges():
    with NanTrailRecorder() as recorder:
        x = torch.tensor([-2.0, 5.0])
        x.log()
    words = describe_origin(recorder.series()["finding"])
    assert words[0] == "step 0: log made 1 nan of 2 values out of finite values"
    assert words[1].endswith(": x.log()")
    assert words[2] == "x (2,): -2 to 5"
