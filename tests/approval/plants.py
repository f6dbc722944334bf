"""Bugs that would let through what a teammate never approved, or send what nobody may; the machine finds each."""

# ruff: noqa: E501  a replacement reads as the code does, on one line
from __future__ import annotations

from tests.bench.plants import Plant

_APPROVAL, _DECIDE, _RUN = "bot/domain/approval.py", "bot/work/decide.py", "bot/work/run.py"
_APPROVE, _STATES = "bot/work/approve.py", "bot/domain/states.py"
_ENDINGS, _DELIVER, _HISTORY = "bot/work/endings.py", "bot/work/deliver.py", "bot/store/history.py"

PLANTS: dict[str, Plant] = {
    "the requester may approve": Plant(
        _APPROVAL, "if person.user_id == cast.requester_id:", "if False:"
    ),
    "the author may approve": Plant(
        _APPROVAL, "if person.user_id == cast.author_id:", "if False:"
    ),
    "whoever is on no list may approve": Plant(_APPROVAL, "if person.user_id not in rules.approvers:", "if False:"),
    "an empty list allows everybody": Plant(
        _APPROVAL, "    if not rules.approvers and not rules.is_unread:\n        return (",
        '    if not rules.approvers and not rules.is_unread:\n        return "" and ('
    ),
    "solo mode is always on": Plant(_APPROVAL, "if verb in APPROVING and not rules.is_solo:", "if False:"),
    "a bot may decide": Plant(_APPROVAL, "if person.is_bot:", "if False:"),
    "a guest may decide": Plant(_APPROVAL, "if person.is_guest:", "if False:"),
    "a deactivated account may decide": Plant(_APPROVAL, "if person.is_deleted:", "if False:"),
    "another workspace may decide": Plant(
        _APPROVAL, "if person.is_stranger or person.team_id != cast.team_id:", "if person.is_stranger:"
    ),
    "a stranger may decide": Plant(
        _APPROVAL, "if person.is_stranger or person.team_id != cast.team_id:", "if person.team_id != cast.team_id:"
    ),
    "anybody may say what becomes of a halted slot": Plant(
        _APPROVAL,
        'return "Only the owner of this routine or an approver may do this. Nothing was changed."',
        'return ""',
    ),
    "other bytes than the card showed are approved": Plant(
        _APPROVAL, "if shown.digest != shown.digest_now:", "if False:"
    ),
    "an approval is the rejection of all others": Plant(_DECIDE, "if verb is Verb.APPROVE else rejected(session, plan)", "if verb is not Verb.APPROVE else rejected(session, plan)"),
    "an approval leaves the older version current": Plant(
        _APPROVE, "    routine.current_plan_id = plan.id\n", "    routine.current_plan_id = routine.current_plan_id or plan.id\n"
    ),
    "an approval resumes what somebody paused": Plant(
        _APPROVE,
        "    is_first = move(session, Routine, known(routine.id), RoutineState.DRAFT, RoutineState.ACTIVE)\n",
        "    is_first = move(session, Routine, known(routine.id), RoutineState.DRAFT, RoutineState.ACTIVE)\n    move(session, Routine, known(routine.id), RoutineState.PAUSED, RoutineState.ACTIVE)\n",
    ),
    "an old draft becomes current in a retired routine": Plant(
        _APPROVAL, "    if shown.is_retired and", "    if False and"
    ),
    "a button counts under another name": Plant(_DECIDE, "if row is None or row.verb is not verb:", "if row is None:"),
    "who asked is not looked up in the history": Plant(
        _DECIDE, 'if not history.holds(session, "plan.proposed", plans.rehearsal_words(session, plan), **plans.origin_words(plan)):', "if plan is None:"
    ),
    "half of a decision is kept before the other": Plant(
        _DECIDE, "    row.used_by, row.used_at = person.user_id, now\n    is_solo", "    row.used_by, row.used_at = person.user_id, now\n    session.commit()\n    is_solo"
    ),
    "a decision is written down nowhere": Plant(_DECIDE, '    history.append(session, now, f"plan.{verb}", {', "    dict(**{"),
    "an answered halt is answered again": Plant(
        _DECIDE, "    if surprise.state is not SurpriseState.OPEN:", "    if surprise.state is None:"
    ),
    "a newer version leaves the older card open": Plant(
        "bot/work/propose.py", "newest is None or plan.id != newest.id", "newest is None or plan.id == newest.id"
    ),
    "what was never approved runs": Plant(_RUN, '    if approval is None:\n        return "No', '    if approval is None:\n        return "" and "No'),
    "other bytes than were approved run": Plant(_RUN, "if folder.digest != approval.digest:", "if False:"),
    "an approval that history does not know counts": Plant(
        _RUN, 'if not history.holds(session, "plan.approve", digest=approval.digest, by=approval.person_id):', "if False:"
    ),
    "an approval counts for every routine": Plant(
        _RUN, "if session.get_one(Plan, row.plan_id).routine_id != routine.id:", "if False:"
    ),
    "a retired routine runs": Plant(_RUN, "if routine.state is RoutineState.RETIRED:", "if False:"),
    "a slot that has ended runs": Plant(_RUN, "if slot.state is not SlotState.DUE:", "if False:"),
    "a run that is under way is begun again": Plant(
        _RUN, "        if row.state is RunState.RUNNING:\n", "        if row.state is RunState.RUNNING:\n            row.state = RunState.QUEUED\n            session.flush()\n        if row.state is RunState.LOST:\n"
    ),
    "a changed entry of the history is believed": Plant(
        _HISTORY, "return any(_is_unchanged(entry) and _is_ours(session, entry) for entry in agreeing)", "return bool(agreeing)"
    ),
    "an entry that somebody else wrote is believed": Plant(_HISTORY, "    seal = _seal_of(session)\n    if not seal.key or entry.seal:", "    seal = _seal_of(session)\n    if entry.id:\n        return True\n    if not seal.key or entry.seal:"),
    "solo mode needs no list": Plant(
        _APPROVAL, "    if not rules.approvers and", "    if rules.is_solo:\n        return \"\"\n    if not rules.approvers and"
    ),
    "a late outcome counts": Plant(
        _STATES, "RunState.FAILED, RunState.LOST, RunState.QUEUED}),\n", "RunState.FAILED, RunState.LOST, RunState.QUEUED}),\n    RunState.LOST: frozenset({RunState.REPORTED}),\n"
    ),
    "a halted run is delivered": Plant(
        _ENDINGS, "    _end_slot(session, row, SlotState.HALTED, Cause.SURPRISE, seen.name,", '    _reported(session, row, Report(seen.message), now)\n    runs.claim_delivery(session, row.slot_id, known(row.id), "channel:C0LAB000001", "k")\n    _end_slot(session, row, SlotState.HALTED, Cause.SURPRISE, seen.name,'
    ),
    "a delivery that was sent is sent again": Plant(
        "bot/work/deliver.py", "if not fresh and row.state is not DeliveryState.SENDING:", "if row.state is DeliveryState.PENDING:"
    ),
    "a mail is sent again after a crash": Plant(_DELIVER, "    if parcel.was_claimed:", "    if False:"),
    "a rerun sends again what was sent": Plant(
        "bot/store/runs.py", "is_again = move(session, Delivery, delivery_id, DeliveryState.FAILED, DeliveryState.PENDING, **again)",
        """is_again = session.connection().exec_driver_sql(f"update delivery set state = 'pending', run_id = {run_id} where id = {delivery_id}")""",
    ),
    "a slot is lost": Plant(
        "bot/work/sweep.py", "routine.next_slot_at = schedule.after(now)\n", "routine.next_slot_at = schedule.after(schedule.after(now))\n"
    ),
    "a lost box ends its slot nowhere": Plant(_ENDINGS, "    if row.attempt >= most:", "    if row.attempt >= most - 2:\n        return\n    if row.attempt >= most:"),
}  # fmt: skip
