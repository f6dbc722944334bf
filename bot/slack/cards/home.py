"""The Home tab: what waits for this person, the routines with their buttons, how to ask, and an admin's view."""

import slackblocks as sb

from bot.domain.overview import Fact, HomeView, RoutineLine, WaitingCard
from bot.domain.words import RoutineState
from bot.slack import ids
from bot.slack.cards.blocks import Json, header, naming, note, paragraph, text, user
from bot.slack.cards.routines import glance
from bot.slack.text import clip

EXAMPLE = "Every Monday compile last week's instrument logs into an error summary and email it to the lab list"
SURE = {
    "order_run": ("Run it now?", "It covers what was posted since its last run, and the report is sent at once."),
    "order_pause": ("Pause this routine?", "Nothing runs until somebody resumes it."),
}
SURE_LABEL = {"order_run": "Run now", "order_pause": "Pause"}


def home(view: HomeView) -> Json:
    """Within Slack's 100 blocks: at most ten routines and eight cards stand on a page."""
    blocks: list[sb.Block] = []
    if view.said:
        people = tuple(one.owner_id for one in view.routines)
        blocks += [paragraph(text("➜ "), *naming(clip(view.said, 1_000), people)), sb.DividerBlock()]
    blocks += [*_waiting(view), *_routines(view), *_how(view), *_admin(view)]
    made: Json = sb.HomeTabView(blocks=blocks).to_dict()
    made["blocks"] = [{k: v for k, v in block.items() if k != "block_id"} for block in made["blocks"]]
    return made


def _waiting(view: HomeView) -> list[sb.Block]:
    if not view.waiting:
        return []
    blocks: list[sb.Block] = [header("Waits for your decision")]
    for number, one in enumerate(view.waiting):
        blocks += _card(one, number)
    if view.more_waiting:
        more = "1 more waits; it shows" if view.more_waiting == 1 else f"{view.more_waiting} more wait; they show"
        blocks.append(note(f"{more} here as these are decided."))
    return [*blocks, sb.DividerBlock()]


def _card(one: WaitingCard, number: int) -> list[sb.Block]:
    runs = [
        text(clip(one.title, 150), bold=True),
        text(f"  version {one.version}\nAsked for by "),
        user(one.asked_by),
        text(f", since {one.since}"),
        *([text(f"\nRuns {clip(one.schedule, 120)}")] if one.schedule else []),
        *([text(f"\n“{clip(one.request, 300)}”", italic=True)] if one.request else []),
    ]
    link = sb.Button(sb.PlainText("Open the card"), action_id=f"{ids.OPEN_LINK}_{number}", url=one.url, style="primary")
    return [paragraph(*runs), sb.ActionsBlock([link])]


def _routines(view: HomeView) -> list[sb.Block]:
    if not view.routines:
        return []
    blocks: list[sb.Block] = [header("Routines")]
    for number, one in enumerate(view.routines):
        blocks += [*([sb.DividerBlock()] if number else []), *glance(one), _orders(one)]
    turn: list[sb.Element] = [
        sb.Button(sb.PlainText(label), action_id=f"{ids.HOME_PAGE}_{label.split()[0].lower()}", value=str(to))
        for label, to in (("Previous page", view.page - 1), ("Next page", view.page + 1))
        if 0 <= to < view.pages
    ]
    if turn:
        blocks += [sb.ActionsBlock(turn), note(f"page {view.page + 1} of {view.pages}")]
    if view.retired:
        retired = "1 retired routine is" if view.retired == 1 else f"{view.retired} retired routines are"
        blocks.append(note(f"{retired} not shown; /standby list has all of them."))
    return [*blocks, sb.DividerBlock()]


def _orders(one: RoutineLine) -> sb.ActionsBlock:
    """What may be ordered in this state; who may is decided when it is pressed."""
    names = {
        RoutineState.ACTIVE: ("order_run", "order_pause"),
        RoutineState.PAUSED: ("order_run", "order_resume"),
    }.get(one.state, ())
    orders = [_order(name, one) for name in names]
    history = sb.Button(sb.PlainText("History"), action_id=ids.HISTORY, value=str(one.routine_id))
    entries = [
        sb.Option(sb.PlainText("Versions"), f"{ids.VERSIONS}:{one.routine_id}"),
        sb.Option(sb.PlainText("Hand over…"), f"{ids.HAND_OVER}:{one.routine_id}"),
        sb.Option(sb.PlainText("Open its thread"), f"{ids.OPEN_LINK}:{one.routine_id}", url=one.thread_url),
    ]
    return sb.ActionsBlock([*orders, history, sb.OverflowMenu(ids.MORE, entries)])


def _order(name: str, one: RoutineLine) -> sb.Button:
    label = {"order_run": "Run now", "order_pause": "Pause", "order_resume": "Resume"}[name]
    return sb.Button(
        sb.PlainText(label),
        action_id=name,
        value=f"{one.routine_id}:{one.stamp}",
        accessibility_label=clip(f"{label}: {one.name}", 75),
        confirm=_sure(name),
    )


def _sure(name: str) -> sb.ConfirmationDialogue | None:
    if name not in SURE:
        return None
    title, words = SURE[name]
    return sb.ConfirmationDialogue(title=title, text=sb.PlainText(words), confirm=SURE_LABEL[name], deny="Not now")


def _how(view: HomeView) -> list[sb.Block]:
    return [
        header("Ask for a report that comes back"),
        paragraph(text("Mention "), user(view.bot_user_id), text(" in a channel and attach the data. For example:")),
        sb.RichTextBlock(sb.RichTextQuote([text(EXAMPLE)])),
        paragraph(
            text(
                "Standby looks at a small sample and shows the script that it would run, with everything it reads and "
                "sends. A teammate approves it. From then on a computer runs the script; when a check in it fails, "
                "nothing is sent and the thread says why."
            )
        ),
    ]


def _admin(view: HomeView) -> list[sb.Block]:
    if not view.admin:
        return []
    return [
        sb.DividerBlock(),
        header("How Standby is set up"),
        *(paragraph(text(f"{one.name}  ", bold=True), *_words(one)) for one in view.admin),
        note("Only admins of the workspace see this. It is changed where Standby is started, never from here."),
    ]


def _words(one: Fact) -> list[sb.RichTextElement]:
    if not one.people:
        return [text(clip(one.words, 1_000))]
    found: list[sb.RichTextElement] = []
    for number, who in enumerate(one.people[:20]):
        found += [*([text(", ")] if number else []), _who(who)]
    rest = len(one.people) - 20
    return [*found, *([text(f" and {rest} more")] if rest > 0 else [])]


def _who(one: str) -> sb.RichTextElement:
    """A user group is shown by its id alone: naming it would call everybody in it."""
    return text(f"user group {one}") if one.startswith("S") else user(one)
