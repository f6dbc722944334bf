"""What a diff shows first, and which unnoticed change a card names first."""

from bot.work.seriousness import WORST_FIRST, worst_first
from bot.work.version_diff import diff_words
from library.plan_folder import PlanFolder
from sandbox.drifts import DRIFTS
from sandbox.hearing import Ear, Verdict

REST = {"plan.toml": b"", "report.md": b"", "resume.md": b"", "shape.json": b"{}", "box.json": b"{}"}


def version(script: list[str]) -> PlanFolder:
    return PlanFolder({"plan.py": "\n".join(script).encode(), **REST})


def test_the_line_of_a_removed_check_stands_before_whatever_else_changed() -> None:
    lines = [f"step_{number} = {number}" for number in range(60)]
    check = 'check("OddFile", known, "no line has a level I know")'
    old = version([*lines, check, "report()"])
    new = version([*(f"{line}  # renamed" if number < 20 else line for number, line in enumerate(lines)), "report()"])
    diff = diff_words(old, new)
    assert diff.index(f"-{check}") < diff.index("-step_0 = 0")


def test_every_changed_line_stays_in_the_diff() -> None:
    old, new = version(["a = 1", *("x" * 9), 'check("A", a)']), version(["a = 2", *("x" * 9)])
    assert sorted(line for line in diff_words(old, new).splitlines() if line[:2] in ("-a", "-c", "+a")) == [
        "+a = 2", "-a = 1", '-check("A", a)',
    ]  # fmt: skip


def test_last_weeks_files_sent_again_come_before_a_renamed_column() -> None:
    ears = [Ear(one, "a.csv", Verdict.DEAF, Verdict.DEAF) for one in ("column-capitals", "rows-twice", "sent-again")]
    assert [ear.drift for ear in worst_first(ears)] == ["sent-again", "rows-twice", "column-capitals"]


def test_every_ranked_drift_exists_once() -> None:
    ranked = [one for group in WORST_FIRST for one in group]
    assert set(ranked) <= set(DRIFTS)
    assert len(ranked) == len(set(ranked))
