"""A report as a mail, taken apart by strict parsers: nothing is lost, nothing is fetched, nothing is carried out."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.csv_text import PLAIN, csv_file
from bot.domain.errors import MailBusy, MailRefused, MailTooLarge
from bot.domain.ports import Letter
from bot.domain.views import Chart, Table
from bot.settings import Settings
from bot.work.letters import ROWS, in_words, letter
from bot.work.mail import SmtpMail, mime
from bot.work.mailed import hand_over
from library.addresses import is_address
from tests import views
from tests.desk_client import Desk
from tests.desk_server import RunningDesk, running_desk

TO = ("lab@example.org", "chem@example.org")
STRICT = SMTP.clone(raise_on_defect=True)
VOID = {"meta", "br", "hr", "img"}


class Strict(HTMLParser):
    """Every element is closed in turn, and none of them leads or loads anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("a", "img", "script", "link", "iframe", "object", "form", "svg"), tag
        assert not {name for name, _ in attrs} - {"class", "style", "charset", "lang", "start"}, attrs
        assert all("url(" not in (value or "") for _, value in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def taken_apart(sent: Letter) -> tuple[EmailMessage, Strict]:
    message = message_from_bytes(mime(sent, "standby@example.org").as_bytes(), policy=STRICT)
    assert isinstance(message, EmailMessage)
    page = Strict()
    html = message.get_body(("html",))
    assert html is not None
    page.feed(html.get_content())
    page.close()
    assert page.open == []
    return message, page


def test_words_tables_and_charts_stand_in_both_parts() -> None:
    message, page = taken_apart(letter(views.report(), TO, "d-1", (("raw.csv", b"a\n"),)))
    plain = message.get_body(("plain",))
    assert plain is not None
    for words in ("41 errors", "spectro-03", "Errors a day", "17", "Wed", "version 1"):
        assert words in plain.get_content()
        assert words in "".join(page.words)
    assert [part.get_filename() for part in message.iter_attachments()] == ["raw.csv"]
    assert message["Auto-Submitted"] == "auto-generated"


def test_a_report_in_words_alone_says_how_much_of_a_long_table_it_shows() -> None:
    long = Table("Long", ("n",), tuple((str(n),) for n in range(ROWS + 5)))
    words = in_words(views.report(tables=(long,), foot=""))
    assert f"{ROWS} of {ROWS + 5} shown; all of them are in the report itself." in words
    assert "41 errors in 14 files" in words and "-- " not in words


def test_a_long_table_and_chart_are_attached_whole() -> None:
    rows = tuple((f"i-{n}", str(n)) for n in range(ROWS + 5))
    chart = Chart("By day", "line", tuple(map(str, range(90))), (("n", tuple(float(n) for n in range(90))),))
    sent = letter(views.report(tables=(Table("Errors", ("i", "n"), rows),), charts=(chart,)), TO, "d-1", ())
    message, page = taken_apart(sent)
    said = "".join(page.words)
    assert "100 of 105 shown; all of them are in errors.csv." in said
    assert "60 of 90 shown; all of them are in by-day.csv." in said
    files = {part.get_filename(): part.get_payload(decode=True) for part in message.iter_attachments()}
    assert len(bytes(files["errors.csv"]).splitlines()) == ROWS + 6
    assert len(bytes(files["by-day.csv"]).splitlines()) == 91


nasty = st.lists(
    st.sampled_from(["<img src=https://evil.example/x>", "<script>", "](https://evil.example)", "![p](http://e/x)",
                     "=cmd|' /C calc'!A0", "+1", "@x", "-2+3", "\r\n", "http://evil.example", "&amp;",
                     "</table>", "\t="])
    | st.text(max_size=12),
    max_size=4,
).map("".join)  # fmt: skip


HEADERS = [
    "auto-submitted", "content-type", "date", "from", "message-id", "mime-version", "subject", "to",
]  # fmt: skip
breaks = st.lists(
    st.sampled_from(["\r\nBcc: eve@evil.example", "\n", "\r", "\x00", "\x0b", "\x85", "\u2028", "\ud800",
                     "=?utf-8?q?x?=", '"', ";", "\\", "a" * 90, "é"])
    | st.text(max_size=12),
    max_size=4,
).map("".join)  # fmt: skip


@given(breaks, breaks, breaks)
def test_EM_01_whatever_the_words_the_mail_has_the_headers_that_are_meant(title: str, name: str, words: str) -> None:
    sent = letter(views.report(title=title, markdown=words, tables=(), charts=()), TO, "d-1", ((name, b"a"),))
    message = message_from_bytes(mime(sent, "standby@example.org").as_bytes(), policy=SMTP)

    assert sorted(header.lower() for header in message.keys()) == HEADERS  # noqa: SIM118  a mail has a name twice
    assert message["To"] == ", ".join(TO)
    (file,) = message.iter_attachments()
    assert sorted(header.lower() for header in file.keys() if not header.lower().startswith("content-")) in (  # noqa: SIM118
        [], ["mime-version"],
    )  # fmt: skip


@given(nasty, nasty, st.lists(st.tuples(nasty, nasty), max_size=4))
def test_whatever_the_words_nothing_leads_or_loads_elsewhere(
    title: str, words: str, rows: list[tuple[str, str]]
) -> None:
    table = Table(words, (title, words), tuple(rows))
    chart = Chart(title, "bar", (words or "x",), ((title, (-1.5,)),))
    view = views.report(title=title or "x", markdown=words, tables=(table,), charts=(chart,), foot=title)
    sent = letter(view, TO, "d-1", ())
    page = Strict()
    page.feed(sent.html)
    page.close()
    assert page.open == []


@given(st.lists(st.tuples(nasty, nasty), min_size=1, max_size=5))
def test_no_cell_of_a_csv_is_a_formula(rows: list[tuple[str, str]]) -> None:
    _, data = csv_file(Table("t", ("=a", "b"), tuple(rows)), 1)
    cells = [cell for row in csv.reader(io.StringIO(data.decode())) for cell in row]
    assert not [cell for cell in cells if cell[:1] in set("=+-@\t\n\r") and not PLAIN.fullmatch(cell)]


@pytest.fixture
def smtp(tmp_path: Path) -> Iterator[RunningDesk]:
    with running_desk(tmp_path) as server:
        yield server


def mail_of(server: RunningDesk) -> SmtpMail:
    where = {"smtp_host": server.smtp_host, "smtp_port": server.smtp_port, "smtp_starttls": False}
    return SmtpMail(Settings.load({}).model_copy(update=where | {"mail_from": "standby@example.org"}))


def test_one_wrong_address_keeps_nobody_else_from_the_report(smtp: RunningDesk) -> None:
    desk = Desk(smtp.url)
    sent = letter(views.report(), TO, "d-1", ())
    desk.fault("mail_refused", TO[1], reply="550 5.1.1 No such user", times=2)
    handed = mail_of(smtp).send(sent)
    assert handed.refused == {TO[1]: "550 5.1.1 No such user"}
    assert [mail.to for mail in desk.mails()] == [[TO[0]]]

    with pytest.raises(MailRefused, match="No such user"):
        mail_of(smtp).send(letter(views.report(), TO[1:], "d-2", ()))
    desk.fault("mail_refused", TO[1], reply="450 4.2.0 Later")
    with pytest.raises(MailBusy, match="Later"):
        mail_of(smtp).send(sent)
    assert len(desk.mails()) == 1
    desk.close()


def test_EM_04_a_server_that_takes_none_so_large_gets_it_without_its_files(smtp: RunningDesk) -> None:
    desk = Desk(smtp.url)
    whole = letter(views.report(), TO, "d-1", (("raw.csv", b"a\n"),))
    desk.fault("mail_too_large", times=2)
    with pytest.raises(MailTooLarge):
        mail_of(smtp).send(whole)

    handed, taken = hand_over(mail_of(smtp), whole)

    assert handed.reply.startswith("250") and taken.attachments == ()
    (mail,) = desk.mails()
    assert mail.attachments == [] and "Without its files (raw.csv)" in mail.text
    desk.close()


def test_EM_04_a_mail_over_the_size_that_a_server_names_is_refused_before_it_is_sent(smtp: RunningDesk) -> None:
    desk = Desk(smtp.url)
    with pytest.raises(MailTooLarge):
        mail_of(smtp).send(letter(views.report(), TO, "d-1", (("raw.bin", b"x" * 26_000_000),)))
    assert desk.mails() == []
    desk.close()


tricky = st.text(alphabet="ab.+-_'/!#$%&*=?^`{|}~@,;:<>()[]\"\\ \r\n\té\u2028", max_size=20) | st.sampled_from(
    ["a@b.example, eve@evil.example", "a@b.example\r\nRCPT TO:<eve@evil.example>", "<a@b.example>", "Al <a@b.example>",
     "a@b.example>", "@evil.example:a@b.example", '"a b"@c.example', "a@b@c.example"])  # fmt: skip


def test_EM_02_an_address_is_one_recipient_or_refused_when_the_plan_is_read(smtp: RunningDesk) -> None:
    desk, post = Desk(smtp.url), mail_of(smtp)
    one = letter(views.report(tables=(), charts=()), TO, "d-1", ())

    @settings(max_examples=60, deadline=None)
    @given(tricky | tricky.map(lambda words: f"{words}@lab.example"))
    def whatever_stands_there(address: str) -> None:
        if not is_address(address):
            return
        before = len(desk.mails())
        post.send(replace(one, to=(address,)))
        assert [mail.to for mail in desk.mails()[before:]] == [[address]]

    whatever_stands_there()
    desk.close()
