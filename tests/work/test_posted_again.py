"""A file that is posted again takes the place of the older one; two of one name in one message are asked about."""

from datetime import timedelta

from bot.store.tables_talk import SharedFile
from bot.work.staging import newest_of_each, two_versions, without_mended
from tests.store.rows import NOW

LATER = NOW + timedelta(days=14)


def shared(sha256: str, name: str = "spectro-08.log", **about: object) -> SharedFile:
    usual = {"file_id": sha256, "thread_ts": "1.0", "posted_by": "ALICE", "posted_at": NOW}
    return SharedFile(team_id="T1", channel_id="C1", name=name, sha256=sha256, **{**usual, **about})


def test_the_newest_file_of_a_name_counts_in_a_thread_whoever_posted_it():
    old, other = shared("old"), shared("other", "spectro-09.log")
    new = shared("new", posted_at=LATER, posted_by="BOB")

    assert newest_of_each([old, other, new]) == [other, new]
    assert two_versions(newest_of_each([old, other, new])) == ""


def test_two_different_files_of_one_name_in_one_message_are_asked_about():
    twins = [shared("one", posted_at=LATER), shared("two", posted_at=LATER)]

    assert two_versions(newest_of_each([shared("old"), *twins])) == "spectro-08.log"
    assert two_versions(without_mended([shared("old"), *twins], "1.0")) == "spectro-08.log"


def test_in_a_slot_a_person_mends_their_own_file_and_the_routines_thread_mends_any():
    wrong = shared("wrong", thread_ts="2.0")
    own = shared("own", thread_ts="3.0", posted_at=LATER)
    in_thread = shared("in thread", posted_at=LATER, posted_by="BOB")
    elsewhere = shared("elsewhere", thread_ts="3.0", posted_at=LATER, posted_by="BOB")

    assert without_mended([wrong, own], "1.0") == [own]
    assert without_mended([wrong, in_thread], "1.0") == [in_thread]
    assert two_versions(without_mended([wrong, elsewhere], "1.0")) == "spectro-08.log"
