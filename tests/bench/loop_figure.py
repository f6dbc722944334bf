"""A figure of bytes sent after each file: the loop climbs ever faster, the script stays where it is. Plain SVG."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 280, 70, 40, 30, 120
INK, LOOP, SCRIPT = "#333333", "#c0392b", "#2471a3"


def drawn(loop_each: Sequence[int], script_bytes: int) -> str:
    """`loop_each` are the bytes of each of the loop's requests in order."""
    whole = list(accumulate(loop_each))
    most = max(whole[-1], script_bytes)
    points = " ".join(f"{_x(n, len(whole)):.1f},{_y(size, most):.1f}" for n, size in enumerate(whole))
    start, stop, level = _x(0, 2), _x(1, 2), _y(script_bytes, most)
    flat = f"{start:.1f},{level:.1f} {stop:.1f},{level:.1f}"
    marks = "".join(_mark(size, most) for size in (0, most // 2, most))
    end, frame = stop + 6, f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12"'
    return f"""<svg xmlns="http://www.w3.org/2000/svg" {frame}>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>
<text x="{LEFT}" y="18" fill="{INK}">Bytes sent to the model over {len(whole) - 2} files</text>
{marks}
<polyline points="{points}" fill="none" stroke="{LOOP}" stroke-width="2"/>
<polyline points="{flat}" fill="none" stroke="{SCRIPT}" stroke-width="2"/>
<text x="{end:.1f}" y="{_y(whole[-1], most) + 4:.1f}" fill="{LOOP}">loop {_short(whole[-1])}</text>
<text x="{end:.1f}" y="{_y(script_bytes, most) - 4:.1f}" fill="{SCRIPT}">script {_short(script_bytes)}</text>
<text x="{LEFT}" y="{HEIGHT - 12}" fill="{INK}">one request after the other →</text>
</svg>
"""


def _mark(size: int, most: int) -> str:
    y = _y(size, most)
    line = f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>'
    return f'{line}<text x="{LEFT - 6}" y="{y + 4:.1f}" fill="{INK}" text-anchor="end">{_short(size)}</text>'


def _x(number: int, count: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * number / max(1, count - 1)


def _y(size: int, most: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * size / most


def _short(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} KB"
