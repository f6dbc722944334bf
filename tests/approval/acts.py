"""What the machine's rules are made of: each act on the real code, compared at once with what the oracle allows."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ClassVar

from hypothesis.stateful import RuleBasedStateMachine, invariant
from procrastinate.exceptions import ConnectorException
from sqlalchemy.exc import DBAPIError

from bot.domain.orders import Order, Said
from bot.domain.people import Person
from bot.domain.words import Verb
from bot.work import decide, deliver, endings, govern, run
from bot.work.sweep import arm_due
from sandbox.outcome import Lost, Outcome, Report
from tests.approval.hands import REPORT, button_of, person
from tests.approval.oracle import List, Oracle, Version, last_monday
from tests.approval.outside import HOME
from tests.approval.stage import Stage, files


class Acts(RuleBasedStateMachine):
    """Every act says what it saw to the oracle, and fails where that was not allowed."""

    make_stage: ClassVar[Callable[[], Stage]]
    is_over: ClassVar[Callable[[], bool]]
    lives: ClassVar[int] = 0

    def begin(self) -> None:
        """A life on an empty database: two routines, one of them approved."""
        if type(self).is_over():  # no life is led half, or hypothesis would take it for another finding
            print("no more lives: nothing was found in time", flush=True)
            os._exit(0)
        type(self).lives += 1
        self.stage = type(self).make_stage()
        self.oracle = Oracle()
        self.tasks = {name: self.stage.new_task(f"{name}.0") for name in ("alpha", "beta")}
        self.names = {name: name for name in self.tasks}
        self.scripts = 0
        self.sent: list[tuple[int, Verb, Person]] = []
        self.late: list[int] = []
        first = self._propose("alpha", "ALICE", "", None)
        self._propose("beta", "ALICE", "", None)
        self._press(first, person("BOB"), Verb.APPROVE, List(), 0)

    def _propose(self, routine: str, requester: str, author: str, surprise: int | None) -> Version:
        """A newer version; where the routine of that name is over, the first one of another, asked for anew."""
        self.scripts += 1
        key = routine.partition("-")[0]
        over = self.stage.ids("select id from routine where name = :n and state = 'retired'", n=self.names[key])
        if over:
            self.names[key] = f"{key}-{self.scripts}"
            self.tasks[key] = self.stage.new_task(f"{self.names[key]}.0")
        routine = key
        made = files(self.names[key], f"script {self.scripts}")
        plan_id = self.stage.propose(self.tasks[routine], made, requester, author, surprise)
        routine_id = self.stage.one("select routine_id from plan where id = :p", p=plan_id)
        version = Version(plan_id, routine_id, made, requester, author)
        self.oracle.proposed(version)
        return version

    def _press(
        self, version: Version, who: Person, verb: Verb, rules: List, worker: int, crash: str | None = None
    ) -> None:
        allowed = self.oracle.may_press(version, who, verb.value, rules)
        button = button_of(self.stage, version.plan_id, verb)
        parts = self.stage.worker(worker, approvers=rules.approvers, solo=rules.solo)
        answer = self._until_crash(lambda: decide.press(parts, button, verb, who, HOME, "because"), crash)
        if answer is None:
            return
        assert answer.text, "a press got no answer"
        assert answer.accepted == allowed, f"{verb} by {who}: {answer} although the rules say {allowed}"
        self.sent.append((version.plan_id, verb, who))
        if answer.accepted:
            self.oracle.pressed(version, who, verb.value, self.stage.time.at)

    def _order(self, routine_id: int, order: Order) -> None:
        """The owner tells a routine what to do."""
        self.oracle.ordered(routine_id, order.value, self.stage.time.at)
        key = f"{order}:{self.stage.time.now()}"
        answer = govern.give(self.stage.worker(0), routine_id, Said(order), person("ALICE"), key)
        assert answer.text, "an order got no answer"

    def _until_crash(self, work: Callable[[], Any], crash: str | None) -> Any:
        """What the work gave; None when the process ended in it."""
        if crash is None:
            return work()
        self.stage.arm_crash(crash, kills=len(self.sent) % 2 == 0)
        try:
            return work()
        except (DBAPIError, ConnectorException):
            return None
        finally:
            self.stage.disarm()

    def _version(self, number: int) -> Version:
        newest = sorted(self.oracle.versions.values(), key=lambda one: -one.plan_id)
        return newest[number % len(newest)]

    def _name(self, routine_id: int) -> str:
        return str(self.stage.one("select name from routine where id = :r", r=routine_id))

    def _due(self, worker: int, days: float, crash: str | None = None) -> None:
        self.stage.time.pass_by(days)
        parts = self.stage.worker(worker)
        self._until_crash(lambda: arm_due(parts.db, parts.clock), crash)
        for number in (worker, 1 - worker):
            arm_due(self.stage.worker(number).db, self.stage.time)
        due = last_monday(self.stage.time.at)
        for routine_id, since in self.oracle.active_since.items():
            if since < due:
                query = "select count(*) from slot where routine_id = :r and due_at = :due"
                assert self.stage.one(query, r=routine_id, due=due) == 1, "a slot vanished, or is there twice"

    def _run_all(self, worker: int, outcome: Outcome, crash: str | None = None) -> None:
        for run_id in self.stage.ids("select id from run where state in ('queued', 'running') order by id"):
            self._run(worker, run_id, outcome, crash)

    def _run(self, worker: int, run_id: int, outcome: Outcome, crash: str | None) -> None:
        parts = self.stage.worker(worker)
        query = (
            "select plan_id, slot.routine_id, slot.state, run.state from run join slot on slot.id = slot_id"
            " where run.id = :run"
        )
        [(plan_id, routine_id, slot_state, run_state)] = self.stage.rows(query, run=run_id)
        allowed = run_state == "queued" and self.oracle.may_claim(plan_id, routine_id, slot_state)
        work = self._until_crash(lambda: run.claim(parts, run_id), crash)
        if work is None:
            assert crash or not allowed, "a run that may run was refused"
            self.late.append(run_id)
            return
        assert allowed, f"run {run_id} of plan {plan_id} may not run"
        assert work.folder.files == self.oracle.versions[plan_id].files, "the bytes that run are not those proposed"
        self._end(worker, run_id, outcome, crash)

    def _end(self, worker: int, run_id: int, outcome: Outcome, crash: str | None) -> None:
        parts = self.stage.worker(worker)
        if isinstance(outcome, Lost):
            self._until_crash(lambda: endings.lost(parts, run_id, outcome.why), crash)
        else:
            self._until_crash(lambda: endings.ended(parts, run_id, outcome), crash)
        ended = self.stage.one("select state from run where id = :run", run=run_id)
        if ended == "reported":
            assert isinstance(outcome, Report)
            self.oracle.reported.add(run_id)
        else:
            self.late.append(run_id)

    def _send_all(self, worker: int, crash: str | None = None) -> None:
        for delivery_id in self.stage.ids("select id from delivery where state in ('pending', 'sending') order by id"):
            parts = self.stage.worker(worker)
            self._until_crash(lambda parts=parts, one=delivery_id: deliver.deliver(parts, one), crash)

    @invariant()
    def _agree(self) -> None:
        if hasattr(self, "stage"):
            self._decisions_agree()
            self._sendings_agree()

    def _decisions_agree(self) -> None:
        forged = {v.plan_id for v in self.oracle.versions.values() if not v.may_be_decided}
        stored = self.stage.rows("select plan_id, verb, person_id from decision order by id")
        mine = [one for one in self.oracle.decisions if one[0] not in forged]
        assert [one for one in stored if one[0] not in forged] == mine, "decisions are not those that were made"
        written = self.stage.one("select count(*) from history where kind in ('plan.approve', 'plan.reject')")
        assert written == len(self.oracle.decisions) + self.stage.forged, "the history tells of other decisions"
        for plan_id, state in self.stage.rows("select plan_id, state from card"):
            if plan_id not in forged:
                assert state == self.oracle.versions[plan_id].state, f"the card of plan {plan_id} is {state}"
        for routine_id, plan_id, state in self.stage.rows("select id, current_plan_id, state from routine"):
            assert plan_id == self.oracle.current.get(routine_id), "another version is current"
            assert state == self.oracle.state_of(routine_id), f"a routine is {state}, which nobody told it"

    def _sendings_agree(self) -> None:
        """Whatever is outside came of a run that reported, and is there once."""
        keys = [key for key, _ in self.stage.channel.posted if key.startswith("delivery:")]
        mails = [str(letter.message_id) for letter in self.stage.post.taken]
        assert len(keys) == len(set(keys)), "a report was posted twice"
        assert len(mails) == len(set(mails)), "a report was mailed twice"
        for key, run_id, state in self.stage.rows("select key, run_id, state from delivery"):
            if f"delivery:{key}" in keys or state == "sent":
                assert run_id in self.oracle.reported, "a run that did not report was delivered"
            assert state != "failed" or f"delivery:{key}" not in keys, "what counts as failed was sent"
            assert state == "sent" or key not in self.oracle.sent, f"what was sent is {state} now"
            if state == "sent":
                self.oracle.sent.add(key)

    def teardown(self) -> None:
        if hasattr(self, "stage"):
            self._recover()
            self.stage.close()

    def _recover(self) -> None:
        """Everything works again: then every slot ends."""
        for _ in range(6):
            self._run_all(0, REPORT)
            self._send_all(0)
        self._agree()
        open_slots = self.stage.rows("select id, state from slot where state in ('due', 'delivering')")
        assert open_slots == [], "slots that never end"
        for slot_id, destination in self.stage.rows(
            "select slot_id, destination from delivery join slot on slot.id = slot_id"
            " where slot.state = 'delivered' and delivery.state <> 'sent'"
        ):
            raise AssertionError(f"slot {slot_id} is delivered, and {destination} has nothing")
