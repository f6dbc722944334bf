"""Text on its way in and out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.slack.text import clean, clip, escape, fallback, first_sentences, heard, inert, ours, pieces, units


@given(st.text(), st.integers(4, 60))
def test_pieces_joined_are_the_text_and_each_is_small(text: str, limit: int) -> None:
    found = pieces(text, limit)
    assert "".join(found) == text
    assert all(0 < units(piece) <= limit for piece in found)


@given(st.text(), st.integers(2, 60))
def test_a_clipped_text_is_short_and_shows_that_it_was_clipped(text: str, limit: int) -> None:
    clipped = clip(text, limit)
    assert units(clipped) <= limit
    assert clipped == clean(text) or clipped.endswith("…")


@given(st.text("ab. \n", max_size=60), st.integers(2, 60))
def test_first_sentences_are_short_and_end_where_a_sentence_ends(text: str, limit: int) -> None:
    said = first_sentences(text, limit)
    assert units(said) <= limit
    assert said == clean(text) or said[-1] in ".!?…"


@given(st.text())
def test_escaped_data_has_no_live_token(text: str) -> None:
    assert not set("<>") & set(escape(text))
    assert not set("<>") & set(fallback(text))


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("<@U1> every Monday", "every Monday"),
        ("every Monday <@U1>!", "every Monday !"),
        ("to <#C1|lab> and <#C2>", "to #lab and <#C2>"),
        ("for <@U2>", "for <@U2>"),
        ("<mailto:lab@example.org|lab@example.org>", "lab@example.org"),
        ("<https://example.org/a>", "https://example.org/a"),
        ("<!subteam^S1|@leads> <!here>", "@leads !here"),
        ("a &lt;b&gt; &amp;amp;", "a <b> &amp;"),
    ],
)
def test_what_was_typed_is_heard_as_plain_text(typed: str, text: str) -> None:
    assert heard(typed, "U1") == text


@pytest.mark.parametrize(
    "data",
    ["<!channel>", "<@U1>", "[a](https://evil.example)", "http://evil.example/?a=b", "<mailto:a@b.c|d>", "MAILTO:x"],
)
def test_data_whose_reader_is_not_known_is_inert_in_every_reading_and_looks_the_same(data: str) -> None:
    said = inert(data)
    assert said.replace("\u2060", "") == data
    assert not any(token in said.lower() for token in ("<!", "<@", "<m", "](", "://", "mailto:"))
    assert inert("3 < 4, 5 > 4: a.log (2 of 3)") == "3 < 4, 5 > 4: a.log (2 of 3)"


def test_in_our_own_words_people_live_and_data_does_not() -> None:
    assert ours("Ask <@U0BOB000001> <!channel> <#C0LAB000001>") == (
        "Ask <@U0BOB000001> &lt;!channel&gt; <#C0LAB000001>"
    )


def test_hidden_characters_are_written_out() -> None:
    assert clean("a\u202egnp.exe\x00\u200b") == "a\\u202egnp.exe\\u0000\\u200b"
