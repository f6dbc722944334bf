"""What somebody who owns the database may try: each changes rows, and tells the oracle what is void from then on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.store.history import hash_of, newest_entry
from bot.store.tables_history import History
from library.plan_folder import digest_of
from tests.approval.oracle import Oracle, Version
from tests.approval.stage import Stage

Meddle = Callable[[Stage, Oracle, Version], None]


def _void(version: Version) -> None:
    version.may_be_decided = version.may_run = False


def other_bytes(stage: Stage, _oracle: Oracle, version: Version) -> None:
    """The script says more than was approved."""
    _void(version)
    _rewrite(stage, version)


def other_bytes_and_digests(stage: Stage, _oracle: Oracle, version: Version) -> None:
    """The script, and every row that has its digest; only the history still knows."""
    _void(version)
    digest = digest_of(_rewrite(stage, version))
    for table, key in (("plan", "id"), ("card", "plan_id"), ("decision", "plan_id")):
        stage.tamper(f"update {table} set digest = :digest where {key} = :p", digest=digest, p=version.plan_id)


def hidden_bytes(stage: Stage, _oracle: Oracle, version: Version) -> None:
    """A script that reads otherwise than it looks."""
    _void(version)
    body = version.files["plan.py"] + "# \u202e\n".encode()
    stage.tamper("update plan_file set body = :b where plan_id = :p and name = 'plan.py'", b=body, p=version.plan_id)


def another_requester(stage: Stage, _oracle: Oracle, version: Version) -> None:
    """So that whoever asked may approve."""
    version.may_be_decided = False
    stage.tamper("update plan set requester_id = 'DORA', author_id = 'DORA' where id = :p", p=version.plan_id)


def forged_approval(stage: Stage, _oracle: Oracle, version: Version) -> None:
    """A decision that nobody made, and a run for it."""
    if version.state == "approved":
        return
    _void(version)
    stage.tamper(
        "insert into decision (plan_id, card_id, verb, digest, person_id, person_name, reason, is_solo, decided_at)"
        " select plan_id, id, 'approve', digest, 'BOB', 'Bob', '', false, opened_at from card where plan_id = :p",
        p=version.plan_id,
    )
    _queue(stage, version)


def unapproved_run(stage: Stage, _oracle: Oracle, version: Version) -> None:
    """A run of a version that was never approved."""
    if version.state != "approved":
        _queue(stage, version)


def run_of_another_routine(stage: Stage, oracle: Oracle, version: Version) -> None:
    """Approved bytes, for a routine that they were not approved for."""
    other = next((one for one in oracle.current if one != version.routine_id), None)
    if other is not None:
        stage.tamper(
            "update run set plan_id = :plan where state = 'queued'"
            " and slot_id in (select id from slot where routine_id = :mine)",
            plan=oracle.current[other],
            mine=version.routine_id,
        )


def retired(stage: Stage, oracle: Oracle, version: Version) -> None:
    """The routine was ended for good while its run waited."""
    oracle.retired.add(version.routine_id)
    oracle.active_since.pop(version.routine_id, None)
    stage.tamper("update routine set state = 'retired', next_slot_at = null where id = :r", r=version.routine_id)


def slot_ended(stage: Stage, _oracle: Oracle, version: Version) -> None:
    """The slot was skipped while its run waited."""
    stage.tamper("update slot set state = 'skipped' where state = 'due' and routine_id = :r", r=version.routine_id)


def approval_rewritten(stage: Stage, _oracle: Oracle, version: Version) -> None:
    """Another person in decision and history alike: only the entry's hash still knows."""
    if version.state == "approved":
        version.may_run = version.may_be_decided = False
        stage.tamper("update decision set person_id = 'EVE' where plan_id = :p", p=version.plan_id)
        stage.tamper(
            """update history set body = jsonb_set(body, '{by}', '"EVE"') where kind = 'plan.approve'"""
            " and body ->> 'digest' = :d",
            d=digest_of(version.files),
        )


def forged_history(stage: Stage, _oracle: Oracle, version: Version) -> None:
    """An approval that nobody gave, with an entry of the history that has the right hash: only the seal knows."""
    if version.state == "approved":
        return
    forged_approval(stage, _oracle, version)
    digest = digest_of(version.files)
    body: dict[str, object] = {"digest": digest, "by": "BOB", "solo": False, "reason": "", "version": 1, "routine": "x"}
    with stage.behind.transaction() as session:
        last = newest_entry(session)
        made = History(at=stage.time.now(), kind="plan.approve", body=body, previous=last.hash if last else "", hash="")
        made.hash = hash_of(made.previous, made.at, made.kind, body)
        made.seal = "0" * 64
        session.add(made)
    stage.forged += 1


def _rewrite(stage: Stage, version: Version) -> dict[str, bytes]:
    changed = {**version.files, "plan.py": version.files["plan.py"] + b"# and more\n"}
    stage.tamper(
        "update plan_file set body = :body where plan_id = :p and name = 'plan.py'",
        body=changed["plan.py"],
        p=version.plan_id,
    )
    return changed


def _queue(stage: Stage, version: Version) -> None:
    """A slot of its own, so that nothing else is in the way, and a queued run."""
    stage.tamper(
        "with made as (insert into slot (routine_id, due_at, since, until, state, reason)"
        " values (:r, :at, :at, :at, 'due', '') returning id)"
        " insert into run (slot_id, plan_id, state, attempt, digest, outcome, kept, queued_at)"
        " select id, :p, 'queued', 1, '', '{}', '{}', :at from made",
        r=version.routine_id,
        p=version.plan_id,
        at=stage.time.now(),
    )


MEDDLE: Mapping[str, Meddle] = {
    one.__name__: one
    for one in (
        other_bytes, other_bytes_and_digests, hidden_bytes, another_requester, forged_approval, unapproved_run,
        run_of_another_routine, retired, slot_ended, approval_rewritten, forged_history,
    )
}  # fmt: skip

# Those that do something to a version that is approved and due.
AFTER_DECISION = (
    "other_bytes", "other_bytes_and_digests", "hidden_bytes", "run_of_another_routine", "slot_ended",
    "approval_rewritten", "retired",
)  # fmt: skip
