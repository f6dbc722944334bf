"""A chart as a picture, for where Slack cannot draw it: the same bytes for the same values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

MOST_TICKS = 24  # labels below the axis; of more, every n-th
MOST_NAMED = 15  # series in the legend; of more nobody could tell the colours apart
SIZE_INCHES, DOTS_AN_INCH = (9.0, 4.5), 110
LABEL = 24  # characters of one label


def draw(chart: dict[str, Any], to: Path) -> bool:
    """Write a PNG; False where the drawing library is missing, as it may be outside of a box."""
    try:
        import matplotlib as mpl  # noqa: PLC0415  it takes a second, and most scripts draw nothing
    except ImportError:
        return False
    mpl.use("Agg")
    # A dollar sign in data is a dollar sign, and no formula.
    with mpl.rc_context({"text.parse_math": False, "font.size": 10}):
        from matplotlib.figure import Figure  # noqa: PLC0415

        figure = Figure(SIZE_INCHES, DOTS_AN_INCH, layout="constrained")
        _fill(figure.subplots(), chart)
        to.parent.mkdir(exist_ok=True)
        figure.savefig(to, format="png", metadata={"Software": None})
    return True


def _fill(axes: Any, chart: dict[str, Any]) -> None:
    labels, series = chart["labels"], chart["series"]
    places = range(len(labels))
    width = 0.8 / max(1, len(series))
    drawn = []
    for number, one in enumerate(series):
        if chart["kind"] == "line":
            drawn.append(axes.plot(places, one["values"])[0])
        else:
            shifted = [place + (number - (len(series) - 1) / 2) * width for place in places]
            drawn.append(axes.bar(shifted, one["values"], width))
    step = max(1, -(-len(labels) // MOST_TICKS))
    shown = [label if len(label) <= LABEL else f"{label[: LABEL - 1]}…" for label in labels[::step]]
    axes.set_xticks(list(places)[::step], shown, rotation=45, ha="right")
    axes.set_title(chart["title"][:120])
    axes.grid(axis="y", alpha=0.3)
    if 1 < len(series) <= MOST_NAMED:
        axes.legend(drawn, [one["name"][:40] for one in series], fontsize="small")
