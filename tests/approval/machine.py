"""A hypothesis machine over the real decision, run and delivery code on a real database, with crashes and two workers.

Rules are shaped: each reaches a deep state in one step, because small steps drawn blindly seldom get there.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from bot.domain.orders import Order
from bot.domain.people import Person
from bot.domain.words import Verb
from bot.work import decide, deliver, endings, run
from sandbox.outcome import Crashed, Lost, Outcome, Report, Surprised
from tests.approval.acts import Acts
from tests.approval.hands import button_of, person
from tests.approval.meddling import MEDDLE
from tests.approval.oracle import List, Version
from tests.approval.outside import HOME, TEAM
from tests.approval.stage import CRASH_AT

PEOPLE = (
    *(person(name) for name in ("BOB", "GINA", "ALICE", "FRANK", "DORA")),
    person("BOB", is_guest=True),
    person("BOB", is_stranger=True),
    person("BOB", is_bot=True),
    person("GINA", is_deleted=True),
    Person("BOB", "T0OTHER0001", "Bob"),
)
EVERYBODY = ("BOB", "GINA", "ALICE", "FRANK")
LISTS = (
    *(List(), List(), List(), List(EVERYBODY), List(()), List((), solo=True), List(EVERYBODY, solo=True)),
    List(("S0GROUP",)),
)
OUTCOMES: tuple[Outcome, ...] = (
    Report("17 errors"),
    Report("17 errors"),
    Surprised("OddFile", "spectro-07.log has no line with a level", file="spectro-07.log"),
    Crashed("KeyError", "'level'", line=7),
    Lost("The box ended."),
)

LEADERS = ("ALICE", "BOB", "GINA")  # the owner and the approvers
DECIDING = st.sampled_from((Verb.APPROVE, Verb.REJECT))
NAMES_THERE_ARE = ("alpha", "beta")
NAMES = st.sampled_from(NAMES_THERE_ARE)

workers = st.sampled_from((0, 1))
people = st.sampled_from(PEOPLE)
versions = st.integers(0, 40)
crashes = st.sampled_from((None, None, None, *CRASH_AT))
outcomes = st.sampled_from(OUTCOMES)


class Approval(Acts):
    """The rules: what people, workers, crashes and meddlers may do next."""

    # --- versions and presses

    @rule(
        routine=NAMES,
        requester=st.sampled_from(("ALICE", "BOB")),
        author=st.sampled_from(("", "FRANK", "GINA")),
        who=people,
        verb=st.sampled_from((Verb.APPROVE, Verb.APPROVE, Verb.REJECT)),
        rules=st.sampled_from(LISTS),
        worker=workers,
    )
    def propose_and_press(
        self, routine: str, requester: str, author: str, who: Person, verb: Verb, rules: List, worker: int
    ) -> None:
        self._press(self._propose(routine, requester, author, None), who, verb, rules, worker)

    @rule(routine=NAMES, author=st.sampled_from(("", "FRANK")))
    def whoever_may_not_presses(self, routine: str, author: str) -> None:
        """Everybody who is no approver, one after the other, on one card: it stays open."""
        version = self._propose(routine, "ALICE", author, None)
        for who in PEOPLE[2:]:
            self._press(version, who, Verb.APPROVE, List(("BOB", "GINA", "ALICE")), 0)

    @rule(routine=NAMES)
    def under_every_list(self, routine: str) -> None:
        """Who asked, who wrote, and somebody else, under every list there may be."""
        for rules in LISTS[3:]:
            version = self._propose(routine, "ALICE", "FRANK", None)
            for who in (PEOPLE[4], PEOPLE[3], PEOPLE[2], PEOPLE[0]):
                self._press(version, who, Verb.APPROVE, rules, 1)

    @rule(
        number=versions,
        who=people,
        verb=DECIDING,
        worker=workers,
        crash=crashes,
    )
    def press_any_card(self, number: int, who: Person, verb: Verb, worker: int, crash: str | None) -> None:
        self._press(self._version(number), who, verb, List(), worker, crash)

    @rule(routine=NAMES, verb=DECIDING)
    def crash_in_a_decision(self, routine: str, verb: Verb) -> None:
        """Decisions that would count, and their processes end in them, wherever that may be; then one counts."""
        version = self._propose(routine, "ALICE", "", None)
        for crash in CRASH_AT:
            self._press(version, PEOPLE[0], verb, List(), 0, crash)
            self._agree()
        self._press(version, PEOPLE[1], verb, List(), 1)

    @rule(number=versions, worker=workers)
    def replay(self, number: int, worker: int) -> None:
        """The same press again: nothing may come of it, since it was decided or refused before."""
        if self.sent:
            plan_id, verb, who = self.sent[-1 - number % len(self.sent)]
            self._press(self.oracle.versions[plan_id], who, verb, List(), worker)

    @rule(routine=NAMES)
    def older_card_after_a_newer(self, routine: str) -> None:
        older = self._propose(routine, "ALICE", "", None)
        self._propose(routine, "ALICE", "", None)
        self._press(older, PEOPLE[0], Verb.APPROVE, List(), 0)

    @rule(routine=NAMES, order=st.sampled_from((Order.PAUSE, Order.PAUSE, Order.RETIRE)), resumes=st.booleans())
    def order_while_a_card_waits(self, routine: str, order: Order, resumes: bool) -> None:
        """Somebody pauses or retires a routine, and then the card that waited is pressed."""
        version = self._propose(routine, "ALICE", "", None)
        self._order(version.routine_id, order)
        if order is Order.RETIRE:
            self._left_open(version)
        self._press(version, PEOPLE[0], Verb.APPROVE, List(), 0)
        self._agree()
        if resumes:
            self._order(version.routine_id, Order.RESUME)

    def _left_open(self, version: Version) -> None:
        """A card that was proposed at the very moment at which its routine was retired."""
        self.stage.tamper("update card set state = 'open' where plan_id = :p", p=version.plan_id)
        self.stage.tamper("update plan set state = 'proposed' where id = :p", p=version.plan_id)
        version.state = "open"

    @rule(routine=NAMES, said=DECIDING)
    def a_button_under_another_name(self, routine: str, said: Verb) -> None:
        """Somebody sends the id of one button as if it were another."""
        version = self._propose(routine, "ALICE", "", None)
        other = Verb.REJECT if said is Verb.APPROVE else Verb.APPROVE
        button = button_of(self.stage, version.plan_id, other)
        assert not decide.press(self.stage.worker(0), button, said, PEOPLE[0], HOME).accepted

    # --- hands behind Standby's back

    @rule(what=st.sampled_from(sorted(MEDDLE)), is_decided=st.booleans(), routine=NAMES)
    def meddle_then_use(self, what: str, is_decided: bool, routine: str) -> None:
        """Change rows of a version, then press its card, or let its routine become due."""
        if is_decided:
            self._meddle_with_what_is_due(what, routine)
        else:
            self._meddle_with_an_open_card(what, routine)

    def _meddle_with_an_open_card(self, what: str, routine: str, *, runs_first: bool = False) -> None:
        version = self._propose(routine, "ALICE", "GINA", None)
        MEDDLE[what](self.stage, self.oracle, version)
        if runs_first:
            self._run_all(0, OUTCOMES[0])
        for who in (PEOPLE[2], PEOPLE[0]):
            self._press(version, who, Verb.APPROVE, List(("BOB", "GINA", "ALICE")), 0)
        self._agree()

    def _meddle_with_what_is_due(self, what: str, routine: str) -> None:
        version = self._propose(routine, "ALICE", "", None)
        self._press(version, PEOPLE[0], Verb.APPROVE, List(), 0)
        self._due(0, 7)
        MEDDLE[what](self.stage, self.oracle, version)
        self._run_all(0, OUTCOMES[0])
        self._send_all(0)
        self._agree()

    # --- slots, runs, deliveries

    @rule(
        worker=workers,
        outcome=outcomes,
        days=st.sampled_from((1, 7, 7, 7, 16)),
        at=crashes,
        refuses=st.booleans(),
        loses=st.booleans(),
    )
    def a_week(self, worker: int, outcome: Outcome, days: int, at: str | None, refuses: bool, loses: bool) -> None:
        """Due, run and delivered by two workers, with an end of the process or a refusal somewhere on the way."""
        self._due(worker, days, at)
        self._run_all(worker, outcome, at)
        self.stage.channel.refuses, self.stage.post.loses_answer = refuses, loses
        self._send_all(worker, at)
        self.stage.channel.refuses = self.stage.post.loses_answer = False
        self._send_all(1 - worker)

    @rule(at=st.sampled_from(("history", "slot")))
    def crash_after_sending(self, at: str) -> None:
        """The report is out, and the process ends before it can say so."""
        self._due(0, 7)
        self._run_all(0, OUTCOMES[0])
        for delivery_id in self.stage.ids("select id from delivery where state = 'pending' order by id"):
            self._until_crash(lambda one=delivery_id: deliver.deliver(self.stage.worker(0), one), at)
        self._send_all(1)

    @rule()
    def deliver_again(self) -> None:
        """Jobs that come again: of what was sent, of what failed, of what nobody knows."""
        for delivery_id in self.stage.ids("select id from delivery order by id desc limit 12"):
            deliver.deliver(self.stage.worker(1), delivery_id)

    @rule(outcome=outcomes)
    def taken_for_dead(self, outcome: Outcome) -> None:
        """A second worker gets the run of a first that is only slow; then the first comes back with its outcome."""
        self._due(0, 7)
        for run_id in self.stage.ids("select id from run where state = 'queued' order by id"):
            if run.claim(self.stage.worker(0), run_id) is not None:
                assert run.claim(self.stage.worker(1), run_id) is None, "two workers have the same run"
                self._end(0, run_id, outcome, None)
                self.late.append(run_id)

    @rule(number=versions)
    def a_late_report(self, number: int) -> None:
        """The outcome of a run that ended before: it counts for nothing."""
        if self.late:
            run_id = self.late[number % len(self.late)]
            state = self.stage.one("select state from run where id = :run", run=run_id)
            if state not in ("queued", "running"):
                endings.ended(self.stage.worker(0), run_id, OUTCOMES[0])
                assert self.stage.one("select state from run where id = :run", run=run_id) == state, "it counted"

    @rule(
        outcome=st.sampled_from(OUTCOMES[2:4]),
        verb=st.sampled_from((Verb.RERUN, Verb.SKIP)),
        who=people,
    )
    def halt_and_answer(self, outcome: Outcome, verb: Verb, who: Person) -> None:
        """A halted slot, and everybody who may not, a person and then the owner say what becomes of it, twice each."""
        self._due(0, 7)
        self._run_all(0, outcome)
        for surprise_id in self.stage.ids("select id from surprise where state = 'open' order by id"):
            button = self.stage.button_of_surprise(surprise_id, verb)
            for one in (*PEOPLE[3:], who, PEOPLE[2]):
                self._answer_halt(button, verb, one)
            if self.stage.one("select state from surprise where id = :s", s=surprise_id) != "open":
                pause = self.stage.button_of_surprise(surprise_id, Verb.PAUSE)
                again = decide.press(self.stage.worker(0), pause, Verb.PAUSE, PEOPLE[2], HOME)
                assert not again.accepted, "an answered halt was answered again"
        self._run_all(1, OUTCOMES[0])
        self._send_all(1)

    def _answer_halt(self, button: str, verb: Verb, who: Person) -> None:
        before = self.stage.one("select count(*) from run")
        answers = [decide.press(self.stage.worker(0), button, verb, who, HOME) for _ in range(2)]
        counted = sum(answer.accepted for answer in answers)
        is_member = not (who.is_bot or who.is_guest or who.is_deleted or who.is_stranger or who.team_id != TEAM)
        assert counted <= (is_member and who.user_id in LEADERS), "an instruction that may not count"
        made = self.stage.one("select count(*) from run") - before
        assert made <= counted * len(self.stage.ids("select id from slot")), "runs that nobody asked for"
        assert counted or made == 0, "a refused press queued a run"

    @rule(verb=DECIDING, routine=NAMES)
    def halt_and_fix(self, verb: Verb, routine: str) -> None:
        """A halted slot, and a new version for it that is approved or not."""
        self._due(0, 7)
        self._run_all(0, OUTCOMES[2])
        query = (
            "select s.id from surprise s join routine r on r.id = s.routine_id where s.state = 'open' and r.name = :x"
            " and r.state <> 'retired'"
        )
        for surprise_id in self.stage.ids(query, x=self.names[routine]):
            fix = self._propose(routine, "ALICE", "", surprise_id)
            runs_before = self.stage.one("select count(*) from run")
            self._press(fix, PEOPLE[0], verb, List(), 1)
            assert verb is Verb.APPROVE or self.stage.one("select count(*) from run") == runs_before
        self._run_all(1, OUTCOMES[0])
        self._send_all(0)
