"""The lanes show the page's numbers and the order of a real DataLoader."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

import edutorch as torch
from edutorch.course.interactions import WorkerLanes
from edutorch.course.interactions.worker_lanes import (
    BATCHES,
    Batch,
    facts,
    lanes_at,
    moments,
    schedule,
)
from tests.widgets.shared_fixtures import FIXTURES

CASES = json.loads((FIXTURES / "worker_lanes" / "schedules.json").read_text())
IDS = [
    "{workers}-{load}-{step}-{prefetch}-{slow}".format(**case["given"])
    for case in CASES
]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_schedule_is_that_of_the_page(case):
    made = schedule(**case["given"])
    assert made == [Batch(*numbers) for numbers in case["batches"]]
    assert list(facts(made)) == case["facts"]
    assert moments(made) == case["moments"]
    at, words = case["lanes"]
    assert lanes_at(made, at) == words


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_no_batch_is_used_before_it_is_made_and_no_lane_does_two_things(case):
    made = schedule(**case["given"])
    for b in made:
        assert b.begin < b.ready <= b.taken < b.done
        assert b.free <= b.taken
    for lane in {b.worker for b in made}:
        mine = [b for b in made if b.worker == lane]
        assert all(a.ready <= b.begin for a, b in pairwise(mine))
    assert all(a.done == b.free for a, b in pairwise(made))


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("prefetch", [1, 2])
def test_batches_ahead_are_never_more_than_asked_for(workers, prefetch):
    made = schedule(workers, 10, 120, prefetch)
    for b in made:
        begun = sum(a.begin < b.taken for a in made)
        taken = sum(a.taken < b.taken for a in made)
        assert begun - taken <= workers * prefetch


def test_workers_of_a_real_loader_take_turns_as_in_the_lanes():
    loader = torch.utils.data.DataLoader(
        _WhoMade(), batch_size=1, num_workers=2, prefetch_factor=2
    )
    made = schedule(2, 60, 20)
    assert [int(who) for who in loader] == [b.worker for b in made]


class _WhoMade(torch.utils.data.Dataset):
    def __len__(self):
        return BATCHES

    def __getitem__(self, i):
        return torch.utils.data.get_worker_info().id


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_facts_name_the_time_without_workers(case):
    alone = schedule(**{**case["given"], "workers": 0})
    if case["given"]["workers"]:
        assert f"({alone[-1].done} ms without workers)" in case["facts"][0]


def test_text_has_the_facts_and_a_line_for_each_batch():
    lines = WorkerLanes(workers=2, load=30, step=30, prefetch=1, slow=True).text()
    lines = lines.split("\n")
    assert lines[0].startswith("2 workers, 30 ms to load a batch, every fifth is slow")
    assert lines[1].startswith("690 ms for 16 batches (1230 ms without workers): ")
    assert len(lines) == 4 + BATCHES


@pytest.mark.parametrize("workers", [0, 1, 6])
def test_picture_says_the_facts_and_stays_within_its_frame(workers):
    view = WorkerLanes(workers, load=120, step=10, slow=True)
    picture = view.picture()
    assert facts(schedule(**view.data))[0] in picture.svg()
    boxes = [shape for kind, shape in picture.shapes if kind == "rect"]
    assert boxes
    for box in boxes:
        assert box["x"] >= 0
        assert box["x"] + box["w"] <= picture.width


def test_settings_that_the_page_lacks_are_refused():
    with pytest.raises(ValueError, match="workers is a whole number from 0 to 6"):
        WorkerLanes(workers=7)
    with pytest.raises(ValueError, match="load"):
        WorkerLanes(load=5)
