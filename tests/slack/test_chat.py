"""Posting and looking, over real sockets, with the troubles that Slack and networks have."""

import ast
import io
import time
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

import bot
from bot.domain.errors import ChatBusy, ChatRefused, ChatUnclear, FileRefused
from bot.domain.ports import Place, WorkspaceFile
from bot.domain.views import NoteView, Table
from bot.settings import Settings
from bot.slack.calls import Calls
from bot.slack.chat import SlackChat
from tests import views
from tests.desk_client import Desk


def test_a_post_carries_its_key_and_unfurls_nothing(chat: SlackChat, desk: Desk, lab: Place) -> None:
    ref = chat.post(lab, views.approval(), key="card:1")

    message = desk.messages("#lab")[-1]
    assert (message.ts, message.has_button("Approve")) == (ref.ts, True)
    call = desk.calls("chat.postMessage")[-1]["args"]
    assert call["unfurl_links"] in (False, "0", "false")
    assert call["unfurl_media"] in (False, "0", "false")
    assert chat.find(lab, "card:1") == ref


@pytest.mark.parametrize(
    "view",
    [views.approval(), views.fix(), views.report(), views.surprise(), views.steps(), views.question(), NoteView("Hi.")],
    ids=lambda view: type(view).__name__,
)
def test_every_card_can_be_posted_and_rewritten(chat: SlackChat, desk: Desk, lab: Place, view: object) -> None:
    ref = chat.post(lab, NoteView("first"), key="k")
    chat.update(ref, view, key="k")  # type: ignore[arg-type] # parametrize gives object
    chat.post(lab, view, key="l")  # type: ignore[arg-type] # parametrize gives object
    assert desk.refused() == []


def test_find_looks_into_the_thread_once_and_knows_our_own_posts_alone(chat: SlackChat, desk: Desk, lab: Place) -> None:
    root = desk.person("Alice").post("#lab", "a request")
    thread = replace(lab, thread_ts=root.ts)
    ref = chat.post(thread, NoteView("found me"), key="say:1")

    assert chat.find(thread, "say:1") == ref
    assert chat.find(thread, "say:2") is None
    assert chat.find(lab, "say:1") is None
    assert len(desk.calls("conversations.replies")) == 2


def test_a_broadcast_stands_in_thread_and_channel(chat: SlackChat, desk: Desk, lab: Place) -> None:
    root = desk.person("Alice").post("#lab", "a request")
    chat.post(replace(lab, thread_ts=root.ts, is_broadcast=True), NoteView("the report"), key="d:1")
    assert desk.calls("chat.postMessage")[-1]["args"]["reply_broadcast"] in (True, "1", "true")


def test_a_lost_reply_is_unclear_and_the_post_is_found_not_repeated(chat: SlackChat, desk: Desk, lab: Place) -> None:
    desk.fault("lost_reply", "chat.postMessage")
    with pytest.raises(ChatUnclear):
        chat.post(lab, NoteView("once"), key="say:1")

    found = chat.find(lab, "say:1")
    assert found is not None
    assert [m.ts for m in desk.messages("#lab") if m.says("once")] == [found.ts]
    assert len(desk.calls("chat.postMessage")) == 1


def test_an_answer_5xx_is_unclear(chat: SlackChat, desk: Desk, lab: Place) -> None:
    desk.fault("server_error", "chat.postMessage")
    with pytest.raises(ChatUnclear):
        chat.post(lab, NoteView("maybe"), key="say:1")


def test_a_short_rate_limit_is_waited_for_in_the_order_of_the_channel(chat: SlackChat, desk: Desk, lab: Place) -> None:
    chat.post(lab, NoteView("zero"), key="k0")
    desk.fault("rate_limited", "chat.postMessage", seconds=1)
    first = Thread(target=chat.post, args=(lab, NoteView("first")), kwargs={"key": "k1"})
    first.start()
    desk.wait_until(lambda: desk.refused() or None)
    chat.post(lab, NoteView("second"), key="k2")
    first.join()

    assert [m.text for m in desk.messages("#lab")][-3:] == ["zero", "first", "second"]


def test_whoever_waits_for_a_channel_goes_in_the_order_of_their_coming(chat: SlackChat, desk: Desk, lab: Place) -> None:
    desk.fault("rate_limited", "chat.postMessage", seconds=1)
    waiting = []
    for number in range(6):
        waiting.append(Thread(target=chat.post, args=(lab, NoteView(f"line {number}")), kwargs={"key": f"k{number}"}))
        waiting[-1].start()
        time.sleep(0.05)
    for one in waiting:
        one.join()

    assert [m.text for m in desk.messages("#lab")][-6:] == [f"line {number}" for number in range(6)]


def test_nobody_overtakes_whoever_was_told_to_wait_longer_than_a_job_may(
    settings: Settings, desk: Desk, lab: Place
) -> None:
    chat = SlackChat(settings, Calls(patience_s=0.5))
    desk.fault("rate_limited", "chat.postMessage", seconds=1)
    with pytest.raises(ChatBusy):
        chat.post(lab, NoteView("first"), key="k1")
    with pytest.raises(ChatBusy) as second:
        chat.post(lab, NoteView("second"), key="k2")
    assert 0 < second.value.retry_after_s <= 1
    assert len(desk.calls("chat.postMessage")) == 1
    time.sleep(second.value.retry_after_s)
    assert chat.post(lab, NoteView("first"), key="k1")


def test_a_long_rate_limit_is_given_back_to_the_job(settings: Settings, desk: Desk, lab: Place) -> None:
    chat = SlackChat(settings, Calls(patience_s=0.5))
    desk.fault("rate_limited", "chat.postMessage", seconds=60)
    with pytest.raises(ChatBusy) as busy:
        chat.post(lab, NoteView("later"), key="k1")
    assert busy.value.retry_after_s == 60


def test_a_refusal_says_what_to_do(chat: SlackChat, lab: Place) -> None:
    with pytest.raises(ChatRefused, match="invite"):
        chat.post(replace(lab, channel_id="C0GENERAL01"), NoteView("hello"), key="k")
    assert chat.person("U0BOB000001").name == "Bob"


def test_an_unreachable_slack_has_surely_not_posted(settings: Settings, lab: Place) -> None:
    nowhere = SlackChat(settings.model_copy(update={"slack_api_url": "http://127.0.0.1:9/api/"}))
    with pytest.raises(ChatBusy):
        nowhere.post(lab, NoteView("hello"), key="k")


def test_a_notification_reads_names_and_calls_nobody(chat: SlackChat, desk: Desk, lab: Place) -> None:
    said = f"<@{views.ALICE}> answers for it in <#{lab.channel_id}>, not <#C0SECRET001>: <!channel> <@U0NOBODY001>."
    ref = chat.post(lab, NoteView(said, people=(views.ALICE,)), key="k")
    chat.update(ref, NoteView(said, people=(views.ALICE,)), key="k")

    for method in ("chat.postMessage", "chat.update"):
        text = desk.calls(method)[-1]["args"]["text"]
        assert text == "Alice answers for it in #lab, not another channel: &lt;!channel&gt; somebody."


def test_people_are_told_apart(chat: SlackChat) -> None:
    bob, charlie, standby = (chat.person(one) for one in ("U0BOB000001", "U0CHARLIE01", "U0STANDBY01"))
    assert (bob.zone, bob.is_stranger, bob.team_id) == ("Europe/Oslo", False, chat.team_id)
    assert charlie.is_stranger
    assert charlie.team_id != chat.team_id
    assert standby.is_bot
    with pytest.raises(ChatRefused, match="does not know"):
        chat.person("U0NOBODY001")


def test_an_attached_file_arrives_byte_for_byte(chat: SlackChat, desk: Desk, lab: Place) -> None:
    root = desk.person("Alice").post("#lab", "a request")
    chat.attach(replace(lab, thread_ts=root.ts), "plan.py", b"x = 1\r\n\xff", title="plan.py")
    [file] = desk.wait_until(lambda: next((m.files for m in desk.thread(root) if m.files), None))
    assert (file["name"], desk.download(file)) == ("plan.py", b"x = 1\r\n\xff")


def test_what_a_report_cannot_show_comes_as_files_that_can_be_found(chat: SlackChat, desk: Desk, lab: Place) -> None:
    rows = tuple((f"instrument-{n}", str(n)) for n in range(500))
    view = views.report(tables=(Table("Errors", ("instrument", "errors"), rows),))
    ref = chat.post(lab, view, key="d:1")
    root = next(m for m in desk.messages("#lab") if m.ts == ref.ts)
    assert root.says("of 500 rows shown", "errors.csv")
    [(name, data)] = chat.files_of(view)
    thread = replace(lab, thread_ts=ref.ts)
    assert not chat.has_file(thread, "errors, of this slot")
    chat.attach(thread, name, data, title="errors, of this slot")
    [file] = desk.wait_until(lambda: next((m.files for m in desk.thread(root) if m.files), None))
    assert desk.download(file).count(b"\n") == 501
    assert chat.has_file(thread, "errors, of this slot") and not chat.has_file(thread, "errors")


def test_a_shared_file_is_taken_with_its_size_checked(chat: SlackChat, desk: Desk) -> None:
    posted = desk.person("Alice").post("#lab", "logs", files={"a.log": b"one\ntwo\n"})
    [record] = posted.files
    file = WorkspaceFile(record["id"], "a.log", record["size"], record["mimetype"], record["url_private_download"])
    into = io.BytesIO()
    chat.download(file, into, 1_000)
    assert into.getvalue() == b"one\ntwo\n"

    with pytest.raises(FileRefused, match="more than"):
        chat.download(file, io.BytesIO(), 3)
    desk.fault("login_page", "a.log")
    with pytest.raises(FileRefused, match="login page"):
        chat.download(file, io.BytesIO(), 1_000)
    desk.fault("short_download", "a.log")
    with pytest.raises(ChatBusy):
        chat.download(file, io.BytesIO(), 1_000)


def test_the_order_of_a_channel_does_not_hold_up_another(chat: SlackChat, desk: Desk, lab: Place) -> None:
    alice = desk.person("Alice").post("@standby", "hello")
    desk.fault("delay", "chat.postMessage", seconds=2)
    slow = Thread(target=chat.post, args=(lab, NoteView("slow")), kwargs={"key": "k1"})
    slow.start()
    time.sleep(0.3)
    began = time.monotonic()
    chat.post(replace(lab, channel_id=alice.channel), NoteView("quick"), key="k2")
    assert time.monotonic() - began < 1.5
    slow.join()


def test_IN_04_every_call_that_posts_or_rewrites_says_that_nothing_unfolds() -> None:
    """The whole program is looked through: the next call that somebody writes counts too."""
    posts, said = ("chat_postMessage", "chat_update", "chat_scheduleMessage", "respond"), {}
    for path in Path(bot.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "attr", getattr(getattr(node, "func", None), "id", ""))
            if isinstance(node, ast.Call) and name in posts:
                flags = {one.arg: ast.unparse(one.value) for one in node.keywords}
                said[f"{path.name}:{node.lineno} {name}"] = [flags.get(f"unfurl_{what}") for what in ("links", "media")]
    assert {one.rpartition(" ")[2] for one in said} == {"chat_postMessage", "chat_update", "respond"}
    assert {one: flags for one, flags in said.items() if flags != ["False", "False"]} == {}
