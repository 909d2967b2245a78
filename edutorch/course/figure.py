"""Pictures with text alternatives, and Matplotlib in the course's style.

Colours are those of Okabe and Ito (2008), which people with any form of colour
blindness can distinguish; numbers from low to high are viridis (van der Walt and Smith,
2015).
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ..extras import install_command

__all__ = ["COLOURS", "MARKS", "WIDTH", "Figure", "canvas_of", "shown", "style"]

COLOURS: Final = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
)  # fmt: skip
DASHES: Final = ("-", "--", "-.", ":", "-", "--", "-.")
MARKS: Final = "os^Dv<>"
WIDTH: Final = 4.8  # inches: letters are legible on a page 400 pixels wide
PIXELS: Final = 100  # per inch on the screen; files have twice as many
# A dark theme inverts the lightness of drawings and keeps hues. Images are left as they
# are: their colours stand for numbers, and the text names them.
DARK: Final = (
    '<style>[data-jp-theme-light="false"] img.edutorch-figure,'
    'html[data-theme="dark"] img.edutorch-figure'
    "{filter:invert(0.9) hue-rotate(180deg)}</style>"
)
SETTINGS: Final[dict[str, Any]] = {
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "lines.linewidth": 1.8,
    "image.interpolation": "nearest",
    "legend.frameon": False,
}


class Figure:
    """A picture with a text alternative.

    Attributes:
        alt: the words.
        png: the picture, in twice the size at which it is shown.
        width: at which it is shown, in pixels.
        inverts: whether a dark theme turns it dark.
    """

    def __init__(self, png: bytes, alt: str, width: int, inverts: bool = True) -> None:
        self.png, self.alt, self.width, self.inverts = png, alt, width, inverts

    def __repr__(self) -> str:
        return f"[picture: {self.alt}]"

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.png).decode("ascii")
        dark, kind = (
            (DARK, "edutorch-figure") if self.inverts else ("", "edutorch-image")
        )
        return (
            f'{dark}<img class="{kind} dark-light" width="{self.width}" '
            f'style="max-width:100%;height:auto" alt="{html.escape(self.alt)}" '
            f'src="data:image/png;base64,{data}">'
        )

    def save(self, path: str | Path) -> None:
        """Save the picture as PNG."""
        Path(path).write_bytes(self.png)


@contextmanager
def style() -> Iterator[None]:
    """A context with the course's style for your own figures; end with `shown`.

    Raises:
        ModuleNotFoundError: without matplotlib; the message has the command for it.

    Example:
        >>> with style():
        ...     from matplotlib.figure import Figure as Canvas
        ...     canvas = Canvas(figsize=(2, 1))
        ...     _ = canvas.subplots().plot([1, 3, 2])
        ...     figure = shown(canvas, alt="A line up and down.")
        >>> figure
        [picture: A line up and down.]
    """
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"pictures need Matplotlib: {install_command('matplotlib')}"
        ) from error
    cycle = mpl.cycler(color=COLOURS) + mpl.cycler(linestyle=DASHES)
    settings: Any = {**SETTINGS, "axes.prop_cycle": cycle}
    with mpl.rc_context(settings):
        yield


def shown(canvas: Any, *, alt: str, inverts: bool | None = None) -> Figure:
    """A Matplotlib figure as a picture.

    Args:
        canvas: the figure.
        alt: what there is to see.
        inverts: whether a dark theme turns it dark; None: unless it holds an image.

    Raises:
        ValueError: without words.
    """
    if not alt.strip():
        raise ValueError("a picture needs a description: alt='what it shows'")
    file = io.BytesIO()
    canvas.savefig(
        file, format="png", dpi=2 * PIXELS, bbox_inches="tight", pad_inches=0.08
    )
    png = file.getvalue()
    if inverts is None:
        inverts = not any(axes.images for axes in canvas.axes)
    return Figure(png, alt, int.from_bytes(png[16:20], "big") // 2, inverts)


def canvas_of(width: float, height: float, layout: Any = "constrained") -> Any:
    """A Matplotlib figure of this size in inches, without a window."""
    from matplotlib.figure import Figure as Canvas

    return Canvas(figsize=(width, height), layout=layout)
