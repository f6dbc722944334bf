"""A reply that leaves files out of one report is told apart, and the files it means are found or asked about."""

import pytest

from bot.domain.leaving_out import LeavingOut, Unmatched, files_meant, leaving_out

NAMES = ("hplc-02.log", "spectro-03.log", "spectro-07.log")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("skip spectro-07 this week", ("spectro-07",)),
        ("Please leave out spectro-07.log only this time.", ("spectro-07.log",)),
        ("leave spectro-07 out this week", ("spectro-07",)),
        ("ignore the file hplc-02.log for this report", ("hplc-02.log",)),
        ("without spectro-03 and spectro-07 this once", ("spectro-03", "spectro-07")),
        ("don't count `spectro-07` today", ("spectro-07",)),
        ("exclude spectro-07, hplc-02 just this time, please", ("spectro-07", "hplc-02")),
    ],
)
def test_one_report_without_something_is_heard(text: str, words: tuple[str, ...]) -> None:
    assert leaving_out(text) == LeavingOut(words)


@pytest.mark.parametrize(
    "text",
    ["skip spectro-07", "skip this week", "leave it out", "every Monday without spectro-07",
     "skip spectro-07 from now on", "this week spectro-07 was broken", "", "why skip spectro-07 this week?"],
)  # fmt: skip
def test_every_other_sentence_is_not(text: str) -> None:
    assert leaving_out(text) is None


def test_the_files_are_found_by_name_stem_or_part() -> None:
    assert files_meant(LeavingOut(("spectro-07", "HPLC", "spectro-07.log")), NAMES) == ("spectro-07.log", "hplc-02.log")
    with pytest.raises(Unmatched, match=r"“spectro” could be spectro-03\.log, spectro-07\.log"):
        files_meant(LeavingOut(("spectro",)), NAMES)
    with pytest.raises(Unmatched, match="No file of this report is called “lamp”"):
        files_meant(LeavingOut(("lamp",)), NAMES)
