"""What viewers of Chrome's trace format need of a file, as Perfetto's importer does."""

from __future__ import annotations

NUMBER = (int, float)


def check_trace(trace):
    """Fail for an event that Perfetto drops, or draws in a wrong place."""
    events = trace["traceEvents"]
    for event in events:
        assert type(event["pid"]) is int
        assert type(event["tid"]) is int
        assert isinstance(event["ts"], NUMBER)
        assert event["ph"] in ("M", "X", "s", "f", "i", "C")
        assert isinstance(event["name"], str)
        if event["ph"] == "X":
            assert event["dur"] >= 0
            assert isinstance(event["cat"], str)
            assert isinstance(event["args"], dict)
    spans = [e for e in events if e["ph"] == "X"]
    check_nesting(spans)
    check_arrows([e for e in events if e["ph"] in "sf"], spans)
    named = {e["tid"] for e in events if e["name"] == "thread_name"}
    assert {span["tid"] for span in spans} <= named


def check_nesting(spans):
    """Spans of a thread lie beside or inside each other: others are dropped."""
    for tid in {span["tid"] for span in spans}:
        around = []
        mine = [s for s in spans if s["tid"] == tid]
        for span in sorted(mine, key=lambda s: (s["ts"], -s["dur"])):
            start, end = ns(span["ts"]), ns(span["ts"]) + ns(span["dur"])
            while around and around[-1] <= start:
                around.pop()
            assert not around or end <= around[-1], span
            around.append(end)


def check_arrows(arrows, spans):
    """Each arrow has one beginning and one end, each within a span of its thread."""
    begun = [a["id"] for a in arrows if a["ph"] == "s"]
    ended = [a["id"] for a in arrows if a["ph"] == "f"]
    assert sorted(begun) == sorted(ended) == sorted(set(begun))
    for arrow in arrows:
        assert (arrow["cat"], arrow["name"]) == ("fwdbwd", "fwdbwd")
        assert arrow["ph"] == "s" or arrow["bp"] == "e"
        assert any(
            span["tid"] == arrow["tid"]
            and ns(span["ts"]) <= ns(arrow["ts"]) <= ns(span["ts"]) + ns(span["dur"])
            for span in spans
        )


def ns(us):
    """Microseconds as whole nanoseconds."""
    return round(us * 1000)
