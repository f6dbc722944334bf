"""Bounded output: the beginning and the end survive whole, whatever the pieces were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sandbox.output import BoundedText

PIECES = st.lists(st.text("abc", max_size=30), max_size=20)


@given(PIECES, st.integers(2, 60))
def test_head_and_tail_are_kept_and_what_is_missing_is_counted(pieces: list[str], limit: int) -> None:
    bounded, whole = BoundedText(limit), "".join(pieces)
    for piece in pieces:
        bounded.add(piece)

    if len(whole) <= limit:
        assert bounded.text() == whole
    else:
        head, tail = whole[: limit // 2], whole[len(whole) - (limit - limit // 2) :]
        assert bounded.text() == f"{head}\n[{len(whole) - limit:,} bytes left out]\n{tail}"
