"""What was said and shared: taken in once, found again by thread and by the time it was posted."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session, select

from bot.store import talk
from bot.store.plans import known
from bot.store.session import Database
from bot.store.tables import Said, SharedFile
from tests.store.rows import NOW, WEEK, a_file, a_routine, a_task


def note(session: Session, file_id: str, at: datetime = NOW, name: str = "", channel_id: str = "C1") -> None:
    talk.note_file(session, "T1", channel_id, "1.0", "ALICE", at, a_file(file_id, name or f"{file_id}.log"))


def names(files: list[SharedFile]) -> list[str]:
    return [file.name for file in files]


def test_an_event_is_taken_in_by_the_first_who_names_it(database: Database):
    with database.transaction() as session:
        assert talk.claim_seen(session, "event:E1", NOW)
        assert not talk.claim_seen(session, "event:E1", NOW)
        assert talk.claim_seen(session, "event:E2", NOW)


def test_of_many_who_take_in_the_same_event_at_once_one_does(database: Database):
    def take_in(_: int) -> bool:
        with database.transaction() as session:
            return talk.claim_seen(session, "event:E1", NOW)

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(take_in, range(12))) == 1


def test_an_event_whose_transaction_failed_may_be_taken_in_again(database: Database):
    with database.engine.connect() as connection, Session(connection) as session:
        assert talk.claim_seen(session, "event:E1", NOW)
        session.rollback()
    with database.transaction() as session:
        assert talk.claim_seen(session, "event:E1", NOW)


def test_the_input_of_a_slot_is_what_was_posted_after_the_last_one_up_to_this_one(database: Database):
    moment = timedelta(microseconds=1)
    with database.transaction() as session:
        note(session, "at-the-last", NOW - WEEK)
        note(session, "just-after-it", NOW - WEEK + moment)
        note(session, "at-this", NOW)
        note(session, "just-after-this", NOW + moment)
        note(session, "elsewhere", NOW - WEEK / 2, channel_id="C2")

        found = talk.files_in_window(session, 1, "T1", "C1", NOW - WEEK, NOW)

    assert names(found) == ["just-after-it.log", "at-this.log"]


def test_files_of_another_request_are_no_input_and_are_counted(database: Database):
    with database.transaction() as session:
        task = a_task(session)
        note(session, "F1")
        of_routine = (1, "T1", "C1", NOW - WEEK, NOW)

        assert talk.files_in_window(session, *of_routine) == []
        assert talk.count_of_requests(session, *of_routine) == 1
        task.routine_id = known(a_routine(session).id)
        session.flush()
        of_its_own = (task.routine_id, *of_routine[1:])
        assert names(talk.files_in_window(session, *of_its_own)) == ["F1.log"]
        assert talk.count_of_requests(session, *of_its_own) == 0


def test_deleted_files_and_scripts_of_people_are_no_data(database: Database):
    with database.transaction() as session:
        note(session, "F1", name="spectro-01.log")
        note(session, "F2", name="plan.py")
        note(session, "F3", name="spectro-03.log")
        session.flush()
        session.exec(select(SharedFile).where(SharedFile.file_id == "F3")).one().deleted_at = NOW
        session.flush()

        assert names(talk.files_in_window(session, 1, "T1", "C1", NOW - WEEK, NOW)) == ["spectro-01.log"]
        assert names(talk.files_of_thread(session, a_task(session))) == ["spectro-01.log"]
        assert names(talk.scripts_of_message(session, "T1", "C1", ["F1", "F2"])) == ["plan.py"]


def test_a_file_shared_twice_is_one_row_and_what_came_without_its_address_gets_it_later(database: Database):
    poor = replace(a_file(), name="", size_bytes=0, url="")
    with database.transaction() as session:
        talk.note_file(session, "T1", "C1", "1.0", "ALICE", NOW, poor)
    with database.transaction() as session:
        talk.note_file(session, "T1", "C1", "1.0", "ALICE", NOW, a_file())
    with database.transaction() as session:
        talk.note_file(session, "T1", "C1", "1.0", "ALICE", NOW, replace(a_file(), name="renamed.log"))

    with database.transaction() as session:
        (row,) = session.exec(select(SharedFile))
    assert (row.name, row.size_bytes, row.url) == ("spectro-07.log", 10, "https://files.example/F1")


def test_a_file_that_comes_with_two_events_at_once_is_one_row(database: Database):
    def take_in(_: int) -> None:
        with database.transaction() as session:
            note(session, "F1")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(take_in, range(12)))

    with database.transaction() as session:
        assert len(session.exec(select(SharedFile)).all()) == 1


def test_a_task_is_found_by_its_thread(database: Database):
    with database.transaction() as session:
        task = a_task(session, "7.0")
        assert talk.task_in_thread(session, "T1", "C1", "7.0") is task
        assert talk.task_in_thread(session, "T1", "C1", "8.0") is None
        assert talk.task_in_thread(session, "T2", "C1", "7.0") is None


def test_a_routine_knows_the_task_it_came_from(database: Database):
    with database.transaction() as session:
        task, routine = a_task(session), a_routine(session)
        task.routine_id = routine.id
        session.flush()
        assert talk.task_of_routine(session, known(routine.id)) is task


def test_guidance_is_what_counts_as_part_of_the_request_in_the_order_it_was_said(database: Database):
    with database.transaction() as session:
        task_id = known(a_task(session).id)
        for ts, said, is_guidance, minutes in [
            ("3.0", "and warnings too", True, 3),
            ("2.0", "thanks!", False, 2),
            ("1.5", "without spectro-03", True, 1),
        ]:
            session.add(
                Said(
                    task_id=task_id, channel_id="C1", ts=ts, user_id="ALICE", text=said, is_guidance=is_guidance,
                    said_at=NOW + timedelta(minutes=minutes),
                )
            )  # fmt: skip
        session.flush()

        assert [row.text for row in talk.guidance(session, task_id)] == ["without spectro-03", "and warnings too"]
