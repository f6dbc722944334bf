"""The Home tab: what somebody may see of the routines, what waits for them, and for admins how Standby is set up."""

from zoneinfo import ZoneInfo

from sqlmodel import Session

from bot.domain.approval import Lists, Shown, refusal
from bot.domain.bill import Paid, whole
from bot.domain.bill_words import usd
from bot.domain.cards import EXPIRES_AFTER, MOST_OPEN, REMINDS_AFTER
from bot.domain.overview import Fact, HomeView, WaitingCard
from bot.domain.people import Person, is_outsider
from bot.domain.ports import Chat, MessageRef
from bot.domain.slots import Schedule, schedule_of
from bot.domain.words import Digest, RoutineState, Verb
from bot.settings import Settings
from bot.store import plans
from bot.store.plans import known
from bot.store.tables_plans import Card, Plan, Routine
from bot.store.tables_talk import Task
from bot.work import overview
from bot.work.approval_card import request_of
from bot.work.authority import cast_of, lists_now
from bot.work.cost import bills as bills_of
from bot.work.cost import paid_once
from bot.work.parts import Parts
from bot.work.staging import LARGEST_BYTES

ON_PAGE = 10
MOST_WAITING = 8

TWO_PEOPLE = "yes: who asked for a plan, or wrote its script, cannot approve it; whose replies shaped it may"


def home(parts: Parts, user_id: str, bot_user_id: str, page: int = 0, said: str = "") -> HomeView:
    """What this person's tab shows now; people of other workspaces and guests see only how to ask."""
    person = parts.chat.person(user_id)
    if is_outsider(person) or person.is_bot:
        return HomeView(bot_user_id)
    lists = lists_now(parts)
    seen = overview.visible(parts, person)
    kept = [one for one in seen if one.state is not RoutineState.RETIRED]
    pages = max(1, -(-len(kept) // ON_PAGE))
    page = max(0, min(page, pages - 1))
    with parts.db.transaction() as session:
        shown = [session.get_one(Routine, one.id) for one in kept[page * ON_PAGE : (page + 1) * ON_PAGE]]
        waiting = _waiting(session, parts.chat, person, lists, {known(one.id) for one in seen})
        return HomeView(
            bot_user_id=bot_user_id,
            routines=tuple(overview.line(session, parts.chat, one) for one in shown),
            page=page,
            pages=pages,
            retired=len(seen) - len(kept),
            waiting=tuple(waiting[:MOST_WAITING]),
            more_waiting=max(0, len(waiting) - MOST_WAITING),
            admin=_admin(session, person.team_id, parts.settings) if person.is_admin else (),
            said=said,
        )


def _waiting(session: Session, chat: Chat, person: Person, lists: Lists, visible: set[int]) -> list[WaitingCard]:
    """The cards that this person may approve: the decision function itself says so."""
    return [
        _card(session, chat, card, plan, routine, is_visible=known(routine.id) in visible)
        for card, plan, routine in plans.waiting_cards(session, person.team_id)
        if not refusal(
            Verb.APPROVE,
            person,
            cast_of(routine, plan),
            lists.of(routine.channel_id, routine.name),
            _shown(session, card, plan),
        )
    ]


def _card(session: Session, chat: Chat, card: Card, plan: Plan, routine: Routine, *, is_visible: bool) -> WaitingCard:
    """What was asked and when it would run; by its name alone where its channel is not theirs to read."""
    manifest = plans.readable_manifest(session, known(plan.id))
    schedule = schedule_of(manifest) if manifest else None
    here = card.opened_at.astimezone(ZoneInfo(schedule.zone)) if schedule else card.opened_at
    task = session.get(Task, plan.task_id) if plan.task_id else None
    return WaitingCard(
        title=manifest.title if manifest and is_visible else routine.name,
        version=plan.version,
        asked_by=plan.requester_id,
        since=f"{here:%a} {here.day} {here:%b}",
        url=chat.link(MessageRef(card.channel_id, card.message_ts), card.thread_ts),
        request=request_of(session, task, plan) if is_visible else "",
        schedule=_when(schedule) if is_visible else "",
    )


def _when(schedule: Schedule | None) -> str:
    return schedule.words() if schedule else "only when somebody asks"


def _shown(session: Session, card: Card, plan: Plan) -> Shown:
    return Shown(card.state, Digest(card.digest), Digest(plans.folder(session, known(plan.id)).digest))


def _admin(session: Session, team_id: str, settings: Settings) -> tuple[Fact, ...]:
    """The settings that decide what may happen here, changed where Standby is started; and what was paid for models."""
    names = ", ".join(f"{name} ({len(who)})" for name, who in sorted(settings.destinations.items()))
    return (
        Fact("May approve", "" if settings.approvers else "nobody: STANDBY_APPROVERS is empty", settings.approvers),
        *(
            Fact(f"May approve in {place}", "" if who else "nobody", who)
            for place, who in settings.approvers_of.items()
        ),
        Fact("Two people", "no: solo mode is on" if settings.solo else TWO_PEOPLE),
        Fact("Mail lists", names or "none"),
        Fact("Mail may go to", ", ".join(settings.allowed_mail_domains) or "any domain"),
        Fact("Mail server", settings.smtp_host or "none, so no reports by e-mail"),
        Fact("Time where none is said", settings.default_time),
        Fact("Largest file", f"{LARGEST_BYTES >> 30} GB"),
        Fact(
            "Cards",
            f"at most {MOST_OPEN} wait in a channel; one reminder after {REMINDS_AFTER.days} days, "
            f"over after {EXPIRES_AFTER.days}",
        ),
        Fact("Paid for models", _paid(session, team_id)),
    )


def _paid(session: Session, team_id: str) -> str:
    """The workspace's bill in a line: for its routines, and for questions asked once."""
    bills = [bill for routine, bill in bills_of(session) if routine.team_id == team_id]
    once = paid_once(session).get(team_id, Paid())
    unknown = sum(bill.paid.unknown for bill in bills) + once.unknown
    rest = f"; {unknown} answers of an unknown price besides" if unknown else ""
    return f"{usd(whole(bills)[0])} for routines, {usd(once.micro_usd)} for questions asked once{rest}"
