"""Rows of the threat model that have no other test, and that every row has one."""

from __future__ import annotations

import ast
import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlmodel import select

from bot.domain.answers import SCHEDULE
from bot.domain.csv_text import as_delivered, csv_file
from bot.domain.orders import Order, Said
from bot.domain.words import Verb
from bot.store import talk
from bot.store.plans import known, new_press
from bot.store.tables_plans import Card
from bot.work import decide, govern, questions
from bot.work.approval_card import approval_view
from bot.work.gated import gate
from bot.work.letters import letter
from library.plan_folder import PlanFolder
from tests import security_rows, security_rows_slots, views
from tests.approval.hands import button_of, finish, home_of, next_monday, person, press, proposed
from tests.approval.outside import LAB
from tests.approval.stage import Stage, files

TESTS = Path(__file__).parents[1]
COUNTS = {"AP": 19, "IN": 13, "SL": 9, "TM": 10, "DB": 7, "EM": 4, "OP": 4}
ROWS = {f"{kind}-{number:02}" for kind, count in COUNTS.items() for number in range(1, count + 1)}
CLAIMED = security_rows.CLAIMED | security_rows_slots.CLAIMED


def test_every_row_is_claimed() -> None:
    assert CLAIMED.keys() == ROWS


@pytest.mark.parametrize("row", CLAIMED)
def test_the_tests_of_a_row_are_there(row: str) -> None:
    assert CLAIMED[row]
    for claim in CLAIMED[row]:
        file, _, name = claim.partition("::")
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, claim


def test_AP_02_an_older_card_decides_nothing_once_a_newer_version_is_proposed(stage: Stage) -> None:
    # Given two versions of one routine, the newer of which took the place of the older
    task = stage.new_task("weekly-error-report.0")
    older, newer = (
        stage.propose(stage.task(known(task.id)), files("weekly-error-report", one), "ALICE", "", None) for one in "ab"
    )

    # When the older card is pressed, then it says what took its place, and nothing is approved
    for verb in (Verb.APPROVE, Verb.REJECT):
        answer = press(stage, older, verb=verb)
        assert (answer.accepted, "A newer version took the place" in answer.text) == (False, True)
    assert stage.one("select count(*) from decision") == 0

    # And the card has lost its buttons; the newer one counts
    with stage.behind.transaction() as session:
        card = session.exec(select(Card).where(Card.plan_id == older)).one()
        view = approval_view(session, stage.worker(0).settings, card, stage.time.now())
    assert (view.buttons, view.decision is not None) == ((), True)
    assert press(stage, newer).accepted


@pytest.mark.parametrize("code", [b"# harmless\rimport os\n", b"# coding: latin-1\nx = 1\n", b"# \xe2\x80\xae x\n"])
def test_AP_04_hidden_code_planted_in_the_database_neither_counts_nor_runs(stage: Stage, code: bytes) -> None:
    # Given one version that is approved, and one that waits
    approved, waiting = proposed(stage), proposed(stage, routine="other-report")
    assert press(stage, approved).accepted
    run_id = next_monday(stage)

    # When the script of both reads otherwise than it looks, and every digest is made to fit
    stage.tamper("update plan_file set body = :code where name = 'plan.py'", code=code)
    for plan_id in (approved, waiting):
        digest = stage.digest(plan_id)
        for table, key in (("plan", "id"), ("card", "plan_id"), ("decision", "plan_id")):
            stage.tamper(f"update {table} set digest = :d where {key} = :p", d=digest, p=plan_id)

    # Then it cannot be approved, and it does not run
    assert "does not pass the source gate" in press(stage, waiting).text
    assert not finish(stage, run_id)
    assert "does not pass the source gate" in stage.one("select reason from slot")


@pytest.mark.parametrize("field", ["title", "why"])
def test_AP_05_what_is_hidden_by_an_escape_in_the_manifest_is_refused(stage: Stage, field: str) -> None:
    """The file's own text is plain; what is read from it, and put into a mail's subject, is not."""
    made = files("weekly-error-report", "count")
    manifest = re.sub(rb'(?m)^(title|why) = "', rb"\g<0>\\u202e", made["plan.toml"])
    assert (field.encode() + b' = "\\u202e') in manifest
    assert f"plan.toml: {field} holds characters that cannot be seen: U+202E" in gate(
        PlanFolder({**made, "plan.toml": manifest})
    )
    spaced = made["plan.toml"].replace(b"[parameters]\n", b'[parameters]\ndelimiter = "\\t"\nthousands = "\\u202f"\n')
    assert gate(PlanFolder({**made, "plan.toml": spaced})) == []
    plan_id = stage.propose(stage.new_task("1.0"), {**made, "plan.toml": manifest}, "ALICE", "", None)
    assert "does not pass the source gate" in press(stage, plan_id).text


def test_AP_08_a_card_shows_the_request_as_it_read_when_the_plan_was_made(stage: Stage) -> None:
    """Whoever asked may change their message at any time, and its words must not vouch for an older plan."""
    plan_id = proposed(stage)
    asked = stage.one("select request from task")
    stage.tamper("update task set request = 'Only count the rows, as Gina wishes'")

    with stage.behind.transaction() as session:
        card = session.exec(select(Card).where(Card.plan_id == plan_id)).one()
        view = approval_view(session, stage.worker(0).settings, card, stage.time.now())
    page = decide.pages(stage.worker(0), button_of(stage, plan_id, Verb.SHOW_ALL), person("BOB"))
    assert page is not None
    assert (view.request, dict(page.files)["What was asked"]) == (asked, asked)


@pytest.mark.parametrize("approvers", [(), ("S0GROUP0001",)])
def test_AP_10_an_empty_or_unreadable_list_means_nobody(stage: Stage, approvers: tuple[str, ...]) -> None:
    plan_id = proposed(stage)
    for who in ("BOB", "GINA", "ALICE", "DORA", "S0GROUP0001"):
        answer = press(stage, plan_id, who, approvers=approvers)
        assert (answer.accepted, "list of approvers is empty" in answer.text) == (False, True)


def test_AP_10_who_left_the_group_since_the_card_was_shown_decides_nothing(stage: Stage) -> None:
    # Given a card and its last page, which Bob of the group opened with Approve on it
    group = ("S0LEADS0001",)
    stage.channel.groups = {"S0LEADS0001": ("BOB", "GINA")}
    plan_id = proposed(stage)
    parts = stage.worker(0, approvers=group)
    page = decide.pages(parts, button_of(stage, plan_id, Verb.SHOW_ALL), person("BOB"))
    assert page is not None and page.approve_press_id

    # When he leaves the group before he presses there, or somebody else presses there, then nothing counts
    stage.channel.groups = {"S0LEADS0001": ("GINA",)}
    for who in ("BOB", "ALICE", "DORA"):
        answer = decide.press(parts, page.approve_press_id, Verb.APPROVE, person(who), home_of(stage, plan_id))
        assert not answer.accepted

    # When the group is emptied, or is gone, then nobody may
    for groups in ({"S0LEADS0001": ()}, {}):
        stage.channel.groups = groups
        assert "list of approvers is empty" in press(stage, plan_id, "GINA", approvers=group).text


@pytest.mark.parametrize(
    ("of", "may"),
    [
        ({}, {"BOB", "GINA"}),
        ({LAB: ("DORA",)}, {"DORA"}),
        ({f"{LAB}/weekly-error-report": ("FRANK",), LAB: ("DORA",)}, {"FRANK"}),
        ({f"{LAB}/another-report": ("FRANK",)}, {"BOB", "GINA"}),
        ({"C0OTHER0001": ("DORA",), "C0OTHER0001/weekly-error-report": ("FRANK",)}, {"BOB", "GINA"}),
        ({LAB: ("ALICE",)}, set()),
        ({LAB: ()}, set()),
        ({LAB: ("S0GONE00001",)}, set()),
        ({LAB: ("S0LEADS0001",)}, {"DORA", "GINA"}),
    ],
    ids=["everywhere", "channel", "routine", "another routine", "another channel", "requester", "empty", "unreadable",
         "group"],
)  # fmt: skip
def test_AP_10_a_channel_or_routine_with_a_list_of_its_own_is_decided_by_that_list_alone(
    stage: Stage, of: dict[str, tuple[str, ...]], may: set[str]
) -> None:
    stage.channel.groups = {"S0LEADS0001": ("DORA", "GINA")}
    plan_id = proposed(stage)
    pages = {}
    for who in ("ALICE", "BOB", "DORA", "FRANK", "GINA"):
        page = decide.pages(stage.worker(0, of=of), button_of(stage, plan_id, Verb.SHOW_ALL), person(who))
        pages[who] = page is not None and bool(page.approve_press_id)
        if who not in may:
            assert not press(stage, plan_id, who, of=of).accepted

    assert {who for who, is_there in pages.items() if is_there} == may
    assert {who for who in sorted(may)[:1] if press(stage, plan_id, who, of=of).accepted} == set(sorted(may)[:1])
    if may:  # then the same list says who may tell the routine what to do
        routine_id = stage.one("select id from routine")
        for who in ("BOB", "DORA", "FRANK"):
            answer = govern.give(stage.worker(1, of=of), routine_id, Said(Order.PAUSE), person(who), f"{who} pauses")
            assert ("Only the owner" in answer.text) == (who not in may)


def test_AP_09_who_wrote_a_script_is_its_author_in_every_later_version_with_the_same_bytes(stage: Stage) -> None:
    # Given a version of Gina's own script, which Bob approved
    first = proposed(stage)
    task = stage.task(stage.one("select max(id) from task"))
    own = files("weekly-error-report", "Gina wrote this")
    assert press(stage, first).accepted
    assert press(stage, stage.propose(task, own, "ALICE", "GINA", None)).accepted

    # When Alice gets it at another time, or for one report alone, and nobody says who wrote it
    later = {**own, "plan.toml": own["plan.toml"].replace(b"0 7 * * mon", b"0 9 * * tue")}
    plan_id = stage.propose(task, later, "ALICE", "", None)

    # Then Gina is its author still, and does not approve it
    assert stage.one("select author_id from plan where id = :p", p=plan_id) == "GINA"
    assert "You wrote this script" in press(stage, plan_id, "GINA").text
    assert press(stage, plan_id).accepted

    # And so it is where her script serves another routine, which somebody else asked for
    elsewhere = {**own, "plan.toml": own["plan.toml"].replace(b'"weekly-error-report"', b'"another-report"')}
    other_task = stage.new_task("another-report.0")
    reused = stage.propose(other_task, elsewhere, "DORA", "", None)
    assert "You wrote this script" in press(stage, reused, "GINA").text
    assert press(stage, reused).accepted

    # And a script of other bytes is nobody's
    other = stage.propose(task, files("weekly-error-report", "somebody else's"), "ALICE", "", None)
    assert press(stage, other, "GINA").accepted


def test_AP_09_who_makes_a_routine_of_an_answer_asks_for_it_and_does_not_approve_it(stage: Stage) -> None:
    # Given something that Alice asked once, and got answered
    task = stage.new_task("1.0")
    stage.tamper("update task set state = 'answered'")
    with stage.behind.transaction() as session:
        button = new_press(session, Verb.KEEP, task_id=known(task.id)).id

    # When Gina, who may approve, wants it every Monday
    answer = questions.answer(stage.worker(0), button, person("GINA"), {SCHEDULE: "every Monday at 07:00"})

    # Then she is who asked for the routine: she does not approve it, and Alice still does not unless she is listed
    assert answer.accepted
    task = stage.task(known(task.id))
    assert task.requester_id == "GINA"

    # And Alice, whose words it began with, is named as one who shaped it
    with stage.behind.transaction() as session:
        assert talk.guides(session, known(task.id)) == ("ALICE",)
    plan_id = stage.propose(task, files("weekly-error-report", "kept"), task.requester_id, "", None)
    assert "You asked for this" in press(stage, plan_id, "GINA").text
    assert press(stage, plan_id).accepted


def test_AP_15_a_lasting_version_is_compared_with_the_one_whose_place_it_takes(stage: Stage) -> None:
    """A draft that began from a version for one report would else lose in silence what that version left out."""
    # Given a current version that asks for two files, and one for a single report that asks for one of them
    asks = b"[parameters]\nexpected_files = [%s]\n"
    whole, less = (asks % names for names in (b'"a.log", "b.log"', b'"a.log"'))
    both = files("weekly-error-report", "count")
    both["plan.toml"] = both["plan.toml"].replace(b"[parameters]\n", whole)
    task = stage.new_task("weekly-error-report.0")
    current = stage.propose(task, both, "ALICE", "", None)
    assert press(stage, current).accepted
    task = stage.task(known(task.id))
    once = b'[only]\ndue_at = "2026-12-07T06:00:00+00:00"\nleave_out = ["b.log"]\n\n'
    for_once = {**both, "plan.toml": both["plan.toml"].replace(whole, once + less)}
    single = stage.propose(task, for_once, "ALICE", "", None, change_from=current)
    assert press(stage, single).accepted

    # When a lasting version is drafted from that one
    lasting = {**both, "plan.toml": both["plan.toml"].replace(whole, less)}
    plan_id = stage.propose(task, lasting, "ALICE", "", None, change_from=single)

    # Then it is compared with the current one, and takes a second press
    answer = press(stage, plan_id)
    assert (answer.accepted, "expected_files no longer asks for b.log" in answer.text) == (False, True)


def test_AP_08_what_a_card_shows_of_the_rehearsal_cannot_be_changed_behind_it(stage: Stage) -> None:
    plan_id = proposed(stage)
    for change in (
        """jsonb_set(rehearsal, '{report,markdown}', '"0 errors, all clear"')""",
        """jsonb_set(rehearsal, '{change_from}', 'null')""",
    ):
        stage.tamper(f"update plan set rehearsal = {change} || '{{\"x\": 1}}' where id = :p", p=plan_id)

        assert "history does not know this version" in press(stage, plan_id).text
    assert stage.one("select count(*) from decision") == 0


def test_who_filled_in_a_form_shaped_the_plan_and_its_card_says_so(stage: Stage) -> None:
    task = stage.new_task("weekly-error-report.0")
    with stage.behind.transaction() as session:
        for who in ("ALICE", "", "GINA"):
            button = new_press(session, Verb.ANSWER, task_id=known(task.id))
            button.used_by, button.used_at = who, stage.time.now() if who else None

        assert talk.guides(session, known(task.id)) == ("GINA",)


def test_AP_11_a_press_that_comes_again_changes_nothing(stage: Stage) -> None:
    plan_id = proposed(stage)
    answers = [press(stage, plan_id, who) for who in ("BOB", "BOB", "GINA")]

    assert [answer.accepted for answer in answers] == [True, False, False]
    assert all("decided already: approved by <@BOB>" in answer.text for answer in answers[1:])
    assert stage.one("select count(*) from decision") == 1


def test_AP_18_a_routine_whose_approval_was_rewritten_stops(stage: Stage) -> None:
    press(stage, proposed(stage))
    stage.tamper("update decision set person_id = 'EVE'")
    stage.tamper("""update history set body = jsonb_set(body, '{by}', '"EVE"') where kind = 'plan.approve'""")

    assert not finish(stage, next_monday(stage))
    assert "history knows of no such approval" in stage.one("select reason from slot")


class _Loads(HTMLParser):
    """Everything of a page that would load from, or lead to, elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("img", "a", "script", "link", "iframe", "form", "object", "base", "video", "audio"):
            self.found.append(tag)
        self.found += [name for name, _ in attrs if name in ("src", "href", "background", "srcset", "action")]
        self.found += [f"style of {tag}" for name, value in attrs if name == "style" and "url" in (value or "")]


TRAPS = (
    "<img src=https://evil.example/x.png>", "![x](https://evil.example/x.png)", "[x](https://evil.example)",
    "<https://evil.example>", "<script>fetch('//evil.example')</script>", "</td></table><a href=//evil.example>",
    "[ref]\n\n[ref]: https://evil.example", "<style>@import url(//evil.example)</style>",
)  # fmt: skip


@given(st.lists(st.sampled_from(TRAPS) | st.text(max_size=20), max_size=5).map("".join))
def test_IN_12_a_mail_loads_and_leads_nowhere(words: str) -> None:
    table = views.Table(words, ("a",), ((words,),))
    sent = letter(views.report(title=words, markdown=words, tables=(table,), foot=words), ("a@b.example",), "1", ())

    reader = _Loads()
    reader.feed(sent.html)

    assert reader.found == []


@example("\n0", "+")
@given(st.text(max_size=20), st.sampled_from(("", "=", "+", "-", "@", "\t", "\r", "\n")))
def test_IN_13_no_cell_of_a_delivered_table_is_a_formula(words: str, lead: str) -> None:
    _, data = csv_file(views.Table("Errors", ("name",), ((lead + words,), ("-12.5",), ("+3",))), 1)

    rows = list(csv.reader(io.StringIO(data.decode())))

    cell = rows[1][0] if rows[1] else ""
    is_number = re.fullmatch(r"[-+]?[\d.,]+(?:e[-+]?\d+)? ?%?", cell.strip())
    assert is_number or cell[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n")
    assert [row[0] for row in rows[-2:]] == ["-12.5", "+3"]


@pytest.mark.parametrize(
    ("sent", "arrives"),
    [
        ('name,n\n=HYPERLINK("http://evil.example"),-12.5\n', 'name,n\n\'=HYPERLINK("http://evil.example"),-12.5\n'),
        ('"=1+1","+3","-1,234.50"\r\n', '"\'=1+1","+3","-1,234.50"\r\n'),
        ("a;@SUM(A1);-7 %\n", "a;'@SUM(A1);-7 %\n"),
        ("a\t=1\n-x\t-1e5\n", "a\t'=1\n'-x\t-1e5\n"),
        ("\u00c5se|=cmd\n", "\u00c5se|'=cmd\n"),
        ("day,note\n2026-12-01,a-b = c\n", "day,note\n2026-12-01,a-b = c\n"),
    ],
)
def test_IN_13_nor_one_of_a_table_that_a_script_wrote_itself(sent: str, arrives: str) -> None:
    for name in ("rows.csv", "ROWS.TSV"):
        assert as_delivered(name, sent.encode()).decode() == arrives
    assert as_delivered("rows.txt", sent.encode()).decode() == sent
