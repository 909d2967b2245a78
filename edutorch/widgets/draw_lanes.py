"""The still picture and the text of device activity: lanes and transfers."""

from __future__ import annotations

from typing import Any

from .box_style import BAD, MUTED, TEXT
from .format import duration, size_text
from .lane_bars import Drawn, drawn_bars, lane_facts
from .svg import Picture, fit_text, printable, text_width
from .time_axis import time_ticks

__all__ = ["draw_lanes", "lanes_text", "lanes_title"]

WIDTH, LEFT, RIGHT, TOP = 860.0, 244.0, 16.0, 40.0
LANE, ROW, GAP = 66.0, 18.0, 14.0
GRID, EMPTY = "#e4e8ee", "#f3f5f8"
COLOURS = {
    "forward": "#56b4e9",
    "backward": "#e69f00",
    "optim": "#cc79a7",
    "data": "#8b95a3",
    "copy": "#009e73",
}
OTHER = "#7a6ad8"
MOVE = "#00684c"
NAMES = {"optim": "update", "copy": "copy between devices"}
NEAR = 4.0  # pixels; closer transfers are drawn as one
BESIDE = 8.0  # pixels between an arrow and its byte label
MOST = 60  # transfers, in the text


def lanes_title(data: dict[str, Any]) -> str:
    """How busy each device was, in one line.

    Example:
        >>> lanes_title({"lanes": [], "full": [], "to": 0.0})
        'DeviceLanes: nothing recorded yet'
    """
    if not data["lanes"]:
        return "DeviceLanes: nothing recorded yet"
    at_work = [lane for lane in data["lanes"] if lane["ops"]]
    each = [f"{x['device']} {lane_facts(x)[0].partition(',')[0]}" for x in at_work]
    words = ", ".join(each[:4]) + (f" (and {len(each) - 4} more)" if each[4:] else "")
    title = f"DeviceLanes: {words or 'no ops'} of {duration(data['to'])}"
    if data["full"]:
        title += f"; {full_text(data['full'][-1])}"
    return title


def full_text(full: dict[str, Any]) -> str:
    """Where memory ran out, and how much of the device was in use.

    Example:
        >>> full_text({"device": "cuda:1", "wanted": 2**23, "now": 2**20,
        ...            "limit": 4 * 2**20})
        'cuda:1 out of memory: 8.0 MB requested, 1.0 MB of 4.0 MB held'
    """
    of = "" if full["limit"] is None else f" of {size_text(full['limit'])}"
    held = f"{size_text(full['now'])}{of} held"
    wanted = size_text(full["wanted"])
    return f"{full['device']} out of memory: {wanted} requested, {held}"


def lanes_text(data: dict[str, Any]) -> str:
    """Devices, transfers and phases, one per line."""
    lines = [lanes_title(data)]
    for lane in data["lanes"]:
        head = f"  {lane['device']} ({lane['kind']})"
        lines.append(f"{head}: {'; '.join(lane_facts(lane))}; {lane['ops']} ops")
        waits = [f"{duration(w['us'])} for {w['device']}" for w in lane["waited"]]
        lines += [f"    waited {', '.join(waits)}"] if waits else []
    for sums in data["moved"]:
        way = f"{sums['source']} -> {sums['target']}"
        lines.append(f"  {way}: {size_text(sums['bytes'])} in {sums['count']}")
    for phase in data["phases"][-MOST:]:
        length = duration(round(phase["to"] - phase["from"], 1))
        lines.append(f"  {phase['name']}: {length}, from {duration(phase['from'])}")
    lines += [f"  {full_text(full)}" for full in data["full"]]
    lines += [f"  {data[key]}" for key in ("limits", "clock") if data[key]]
    return "\n".join(map(printable, lines))


def draw_lanes(data: dict[str, Any], note: str = "") -> Picture:
    """Draw what each device did over time.

    Args:
        data: a series of `edutorch.inspect.LanesRecorder`.
        note: added to the caption.
    """
    caption = lanes_title(data) + (f" ({note})" if note else "")
    bands = max((p["row"] + 1 for p in data["phases"]), default=0)
    height = TOP + bands * 16 + len(data["lanes"]) * (LANE + GAP) + 94
    picture = Picture(WIDTH, height if data["lanes"] else 60, caption)
    picture.text(16, 22, fit_text(caption, WIDTH - 32, 12), size=12, fill=MUTED)
    if data["lanes"]:
        _Lanes(picture, data, TOP + bands * 16).paint()
    return picture


class _Lanes:
    """The lanes of a picture.

    Attributes:
        top: where the first lane begins.
    """

    def __init__(self, picture: Picture, data: dict[str, Any], top: float) -> None:
        self.picture, self.data, self.top = picture, data, top
        self.wide = WIDTH - LEFT - RIGHT
        self.begin = data["from"]
        self.span = max(data["to"] - self.begin, 1.0)
        self.order = {lane["device"]: i for i, lane in enumerate(data["lanes"])}
        self.phases: list[str] = []  # names of the phases drawn

    def x(self, us: float) -> float:
        return LEFT + (us - self.begin) / self.span * self.wide

    def y(self, lane: int) -> float:
        return self.top + lane * (LANE + GAP)

    def paint(self) -> None:
        foot = self.y(len(self.order)) - GAP + (22 if self.data["full"] else 6)
        self.axis(foot)
        self.band()
        for i, lane in enumerate(self.data["lanes"]):
            self.head(lane, self.y(i))
            self.bars(lane, self.y(i))
        self.transfers()
        self.full()
        self.legend(foot + 40)

    def axis(self, foot: float) -> None:
        for us, text in time_ticks(self.begin, self.begin + self.span, self.wide / 96):
            x = self.x(us)
            self.picture.line([(x, self.top - 4), (x, foot + 4)], stroke=GRID)
            half = text_width(text, 10.5) / 2
            middle = min(x, LEFT + self.wide + RIGHT - 4 - half)
            self.note(middle, foot + 17, text)
        self.picture.line([(LEFT, foot), (LEFT + self.wide, foot)], stroke=MUTED)

    def note(self, x: float, y: float, text: str, anchor: str = "middle") -> None:
        self.picture.text(x, y, text, size=10.5, fill=MUTED, anchor=anchor)

    def band(self) -> None:
        """Draw phases above the lanes."""
        for phase in self.data["phases"]:
            x, y = self.x(phase["from"]), TOP - 8 + phase["row"] * 16
            wide = max(1.0, self.x(phase["to"]) - x)
            self.picture.rect(x, y, wide, 13, fill="#dfe5f5", radius=2)
            if text_width(phase["name"], 10) + 6 < wide:
                self.picture.text(x + 3, y + 10, phase["name"], size=10)

    def head(self, lane: dict[str, Any], y: float) -> None:
        name = f"{lane['device']}"
        self.picture.text(16, y + 12, name, size=12, bold=True)
        at = 22 + text_width(name, 12.8)
        if lane["kind"].lower() != name:
            self.picture.text(at, y + 12, lane["kind"], size=11, fill=MUTED)
        for i, fact in enumerate(lane_facts(lane)):
            fitted = fit_text(fact, LEFT - 26, 10.5)
            self.picture.text(16, y + 28 + 15 * i, fitted, size=10.5, fill=TEXT)
        self.picture.rect(LEFT, y, self.wide, LANE, fill=EMPTY)

    def bars(self, lane: dict[str, Any], y: float) -> None:
        high = min(ROW * 2, (LANE - 8) / lane["rows"])
        texts, pixel = self.data["texts"], self.span / self.wide
        for bar in drawn_bars(lane["bars"], texts, pixel):
            x = self.x(bar.start)
            wide = max(1.0, self.x(bar.end) - x)
            if bar.phase not in self.phases:
                self.phases.append(bar.phase)
            top = y + 4 + bar.row * high
            fill = COLOURS.get(bar.phase, OTHER)
            self.picture.rect(x, top, wide, high - 2, fill=fill, radius=1)
            self.bar_name(bar, x, top + high / 2 + 3, wide)

    def bar_name(self, bar: Drawn, x: float, y: float, wide: float) -> None:
        name = bar.name or bar.module
        if bar.count > 1:
            name = f"{bar.count} ops" + (f" {name}" if name else "")
        if text_width(name, 10) + 6 < wide:
            self.picture.text(x + 3, y, name, size=10, fill="#14181f")

    def transfers(self) -> None:
        """Draw arrows between lanes; neighbouring ones of the same pair are merged."""
        drawn: dict[tuple[str, str], list[Any]] = {}
        arrows = []
        for start, end, source, target, nbytes, _ in self.data["transfers"]:
            last = drawn.get((source, target))
            if last and self.x(end) - self.x(last[1]) < NEAR:
                last[1], last[4], last[5] = end, last[4] + nbytes, last[5] + 1
            else:
                last = drawn[source, target] = [start, end, source, target, nbytes, 1]
                arrows.append(last)
        arrows = [arrow for arrow in arrows if arrow[2] != arrow[3]]
        free = [LEFT] * len(self.order)
        sizes = []
        for arrow in arrows:
            a, b = self.order[arrow[2]], self.order[arrow[3]]
            down = b > a
            y0 = self.y(a) + (LANE - 8 if down else 8)
            # inside its lane: byte labels are between the lanes
            tip = self.y(b) + (1 if down else LANE - 1)
            y1 = tip + (6 if down else -6)
            x0, x1 = self.reach(arrow)
            self.picture.line([(x0, y0), (x1, tip)], stroke=MOVE, width=1.3)
            points = [(x1, y1), (x1 - 3.5, tip), (x1 + 3.5, tip)]
            self.picture.polygon(points, fill=MOVE)
            text, lane = size_text(arrow[4]), min(a, b)
            wide = text_width(text, 10)
            for x in (max(x0, x1) + BESIDE, min(x0, x1) - BESIDE - wide):
                if free[lane] <= x < LEFT + self.wide - wide and not any(
                    self.crosses(one, lane, x, x + wide)
                    for one in arrows
                    if one is not arrow
                ):
                    sizes.append((x, self.y(lane) + LANE + GAP - 3, text))
                    free[lane] = x + wide + BESIDE
                    break
        for x, y, text in sizes:
            self.picture.text(x, y, text, size=10, fill=MOVE)

    def reach(self, arrow: list[Any]) -> tuple[float, float]:
        """Where an arrow begins and ends; all of its tip is within the lanes."""
        x1 = min(max(self.x(arrow[1]), LEFT + 4), LEFT + self.wide - 4)
        return self.x(arrow[0]), x1

    def crosses(self, arrow: list[Any], lane: int, left: float, right: float) -> bool:
        """Whether an arrow passes between two positions, below a lane."""
        ends = sorted((self.order[arrow[2]], self.order[arrow[3]]))
        first, last = sorted(self.reach(arrow))
        passes = ends[0] <= lane < ends[1]
        return passes and first - 6 < right and last + 6 > left

    def full(self) -> None:
        for full in self.data["full"]:
            x, y = self.x(full["at"]), self.y(self.order[full["device"]])
            self.picture.line([(x, y), (x, y + LANE + 11)], stroke=BAD, width=3)
            text = "out of memory"
            anchor = "end" if x > LEFT + 100 else "start"
            off = -6 if anchor == "end" else 6
            place = x + off, y + LANE + 11
            self.picture.text(*place, text, size=11, fill=BAD, anchor=anchor, bold=True)

    def legend(self, y: float) -> None:
        x = LEFT
        for phase in self.phases:
            name = NAMES.get(phase, phase)
            self.picture.rect(x, y - 9, 10, 10, fill=COLOURS.get(phase, OTHER))
            self.picture.text(x + 15, y, name, size=10.5, fill=TEXT)
            x += 30 + text_width(name, 10.5)
        words = " ".join(self.data[key] for key in ("limits", "clock"))
        fitted = fit_text(words.strip(), WIDTH - 32, 10.5)
        self.note(16, y + 22, fitted, "start")
