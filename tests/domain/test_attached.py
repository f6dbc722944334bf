"""What is no data is named, with what to do; what may be data is never refused by its name."""

import pytest

from bot.domain.attached import unreadable


@pytest.mark.parametrize(
    ("name", "mimetype", "kind"),
    [
        ("clip.mp4", "video/mp4", "a video"), ("report.PDF", "application/pdf", "a PDF"),
        ("x", "image/png", "a picture"),
        ("memo.docx", "", "a text document"), ("logs.zip", "application/zip", "an archive"),
        ("talk", "audio/mpeg", "a recording"),
    ],
)  # fmt: skip
def test_it_says_what_it_is_and_what_to_do(name: str, mimetype: str, kind: str) -> None:
    said = unreadable([("a.log", "text/plain"), (name, mimetype)])
    assert f"{name} is {kind}." in said
    assert "I read data: logs" in said
    assert "delete it from this thread" in said


@pytest.mark.parametrize(
    "name", ["a.log", "a.csv", "a.tsv", "b.xlsx", "c.jsonl", "d.parquet", "e.log.gz", "f", "g.txt", "h.json", "i.dat"]
)
def test_what_may_be_data_is_looked_at(name: str) -> None:
    assert unreadable([(name, "text/plain"), (name, "application/octet-stream")]) == ""


def test_many_are_counted() -> None:
    said = unreadable((f"p{n}.png", "image/png") for n in range(9))
    assert "p4.png is a picture, and 4 more are like that." in said
    assert "delete them" in said
