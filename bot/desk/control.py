"""The control API: what people do at the desk, by JSON over HTTP. The page and the tests use nothing else.

All under /desk/api. Every answer is JSON; a refusal is `{"error": sentence}` with status 400 or 404. People are meant
by name or id, channels by `#name` or id, elements by action_id, block_id or visible label.

    GET  /                  this list
    GET  /state             team, people, channels, app, clock, connections, mails, armed faults
    GET  /messages          ?channel= &person= &thread_ts= : messages as the page shows them, oldest first
    POST /messages          person, channel, text, thread_ts; as multipart also files
    POST /messages/many     person, channel, said (list of text, files, thread_of), within_s : evenly over this time
    POST /messages/edit     person, channel, ts, text ; and /messages/delete: their own messages
    POST /press             person, channel, ts or view_id, name, choice, values; agrees to a confirm dialog
    POST /forge             person, channel, ts, action (type, action_id, value ...): a press that no client would send
    GET  /views             ?person= : the modals open for this person, top one last; and the Home tab
    POST /views/submit      person, view_id, values
    POST /views/close       person, view_id
    POST /home              person : opens the Home tab
    POST /commands          person, channel, command, text; /invite is Slack's own
    POST /shortcuts         person, callback_id; for a message's shortcut also channel, ts
    POST /reactions         person, channel, ts, name
    POST /clock             to (ISO instant, or a wall-clock time with its zone), or weekday ("monday"), at ("07:00"),
                            zone ; only forward
    GET  /mails             received mails; /mails/N/raw, /mails/N/html and /mails/N/attachments/I for one of them
    GET  /ledger            ?since= : calls, events, transfers and mails, in order
    GET  /behind            ?page= about, boxes or spent : what whoever started the desk tells of what is behind the app
    GET  /faults            kinds, and those armed;  POST arms one: kind, target, times, seconds, reply;  DELETE disarms
    POST /channels/ACTION   channel; ACTION is archive, unarchive, remove_bot or invite_bot
    POST /files/delete      file
    GET  /files/ID          a file's bytes
    POST /sockets/ACTION    ACTION is warn, refresh (both ask the app to reconnect), cut; off and on: Socket Mode
    POST /settings          scopes, redelivery_waits_s, ack_within_s : what the app was granted; how soon events come
                            again; how long an answer is waited for. request_url : HTTP mode there, after a challenge;
                            empty is Socket Mode. redirect_uris, token_life_s, enterprise, is_org_wide : its installs
    POST /installation/ACTION  ACTION is uninstall, revoke, or expire (twelve hours are over)
    GET  /story             the generated sets;  ?set= : its files and text;  GET /story/SET/NAME : one generated file
    POST /story             person, channel, set, on_sunday : posts a set of generated files; with on_sunday it first
                            becomes the evening (20:00) before the next Monday, when that week lies behind
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.desk.clock import next_weekday
from bot.desk.composing import post_as
from bot.desk.control_body import read_body
from bot.desk.desk import Desk
from bot.desk.errors import BadRequest, NotThere, Refused
from bot.desk.faults import FaultKind
from bot.desk.interactions import Interactions, Outcome
from bot.desk.look import Look
from bot.desk.shapes import Channel, Json, Message, Person

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
INVITE = "/invite"
Handler = Callable[["Order"], Awaitable[Json]]


@dataclass(frozen=True)
class Order:
    """One request to the control API: its values, and the parts that carry it out."""

    desk: Desk
    acts: Interactions
    values: Json
    files: tuple[tuple[str, bytes], ...] = ()
    path: Json | None = None

    def get(self, name: str, default: Any = None) -> Any:
        return self.values.get(name, default)

    def text(self, name: str) -> str:
        value = self.values.get(name)
        if not isinstance(value, str) or not value:
            raise BadRequest(f"{name!r} is missing, or is no text.")
        return value

    @property
    def person(self) -> Person:
        return self.desk.workspace.person(self.text("person"))

    @property
    def channel(self) -> Channel:
        """The channel; `@standby` means the direct message between this person and the bot."""
        name = self.text("channel")
        if name == f"@{self.desk.workspace.bot.name}":
            opened = self.desk.workspace.direct_message(self.person, self.desk.workspace.general())
            self.desk.changes.tell("opened", channel=opened.id)
            return opened
        return self.desk.workspace.channel(name)

    @property
    def message(self) -> Message:
        return self.desk.workspace.message(self.channel.id, self.text("ts"))

    @property
    def look(self) -> Look:
        return Look(self.desk)


async def state(order: Order) -> Json:
    return order.look.state()


async def messages(order: Order) -> Json:
    person = order.person if order.get("person") else None
    return {"messages": order.look.messages(order.channel, person, order.get("thread_ts", ""))}


async def post_message(order: Order) -> Json:
    text, thread_ts = order.get("text", ""), order.get("thread_ts", "")
    message = post_as(order.desk, order.person, order.channel, text, order.files, thread_ts)
    return {"message": order.look.message(message)}


async def press(order: Order) -> Json:
    name, choice, values = order.text("name"), order.get("choice"), order.get("values", {})
    if order.get("view_id"):
        view = order.desk.workspace.view(order.text("view_id"))
        return (await order.acts.press_in_view(order.person, view, name, choice, values)).as_json()
    return (await order.acts.press(order.person, order.message, name, choice, values)).as_json()


async def forge(order: Order) -> Json:
    action = order.get("action")
    if not isinstance(action, dict) or not action.get("action_id"):
        raise BadRequest("'action' is missing, or is no button with an action_id.")
    return (await order.acts.forge(order.person, order.message, action)).as_json()


async def views(order: Order) -> Json:
    return order.look.views(order.person)


async def submit(order: Order) -> Json:
    view = order.desk.workspace.view(order.text("view_id"))
    return (await order.acts.submit(order.person, view, order.get("values", {}))).as_json()


async def close(order: Order) -> Json:
    view = order.desk.workspace.view(order.text("view_id"))
    return (await order.acts.close(order.person, view)).as_json()


async def home(order: Order) -> Json:
    view = order.desk.workspace.homes.get(order.person.id)
    order.desk.events.home_opened(order.person, order.desk.render.view(view) if view else None)
    return order.look.views(order.person)


async def command(order: Order) -> Json:
    if order.text("command") == INVITE:
        return await _invite(order)
    outcome = await order.acts.command(order.person, order.channel, order.text("command"), order.get("text", ""))
    return outcome.as_json()


async def _invite(order: Order) -> Json:
    """Slack's own command: whoever is in a channel lets the app in."""
    bot, channel = order.desk.workspace.bot, order.channel
    if order.get("text", "").strip().removeprefix("@") not in (bot.name, f"<{bot.id}>"):
        raise BadRequest(f"The desk invites the app alone: /invite @{bot.name}")
    if order.person.id not in channel.members or channel.is_im:
        raise BadRequest(f"{order.person.real_name} cannot invite anybody here.")
    order.desk.let_bot_in(channel)
    return Outcome(True, {}).as_json()


async def shortcut(order: Order) -> Json:
    if order.get("ts"):
        return (await order.acts.message_shortcut(order.person, order.message, order.text("callback_id"))).as_json()
    return (await order.acts.global_shortcut(order.person, order.text("callback_id"))).as_json()


async def react(order: Order) -> Json:
    who = order.message.reactions.setdefault(order.text("name"), [])
    if order.person.id not in who:
        who.append(order.person.id)
    order.desk.show(order.message)
    order.desk.events.reacted(order.message, order.person, order.text("name"))
    return {}


async def move_clock(order: Order) -> Json:
    clock = order.desk.clock
    if order.get("to"):
        clock.move_to(_instant(order.text("to"), order.get("zone", "")))
    else:
        at = time.fromisoformat(order.get("at", "07:00"))
        weekday = WEEKDAYS.index(order.get("weekday", "monday"))
        clock.move_to(next_weekday(clock.now(), weekday, at, _zone(order.get("zone", "Europe/Oslo"))))
    order.desk.changes.tell("clock", **order.look.clock())
    return order.look.clock()


def _instant(written: str, zone: str) -> datetime:
    """What was written; without an offset it is the wall clock of `zone`, where there is one."""
    moment = datetime.fromisoformat(written)
    return moment.replace(tzinfo=_zone(zone)) if zone and moment.tzinfo is None else moment


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError as error:
        raise BadRequest(f"There is no time zone {name!r}. Write it like Europe/Oslo.") from error


async def mails(order: Order) -> Json:
    return {"mails": [mail.as_json() for mail in order.desk.mailbox.mails]}


async def ledger(order: Order) -> Json:
    return {"entries": order.desk.ledger.since(int(order.get("since", 0)))}


async def faults(order: Order) -> Json:
    return {"kinds": [kind.value for kind in FaultKind], "armed": [asdict(one) for one in order.desk.faults.armed]}


async def arm_fault(order: Order) -> Json:
    try:
        return asdict(order.desk.faults.arm(order.values))
    except (KeyError, TypeError, ValueError) as error:
        raise BadRequest(f"That is no fault: {error}. Kinds: {', '.join(FaultKind)}.") from error


async def disarm_faults(order: Order) -> Json:
    order.desk.faults.armed.clear()
    return {}


async def help_(_order: Order) -> Json:
    return {"help": (__doc__ or "").splitlines()}


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/", help_),
    ("GET", "/state", state),
    ("GET", "/messages", messages),
    ("POST", "/messages", post_message),
    ("POST", "/press", press),
    ("POST", "/forge", forge),
    ("GET", "/views", views),
    ("POST", "/views/submit", submit),
    ("POST", "/views/close", close),
    ("POST", "/home", home),
    ("POST", "/commands", command),
    ("POST", "/shortcuts", shortcut),
    ("POST", "/reactions", react),
    ("POST", "/clock", move_clock),
    ("GET", "/mails", mails),
    ("GET", "/ledger", ledger),
    ("GET", "/faults", faults),
    ("POST", "/faults", arm_fault),
    ("DELETE", "/faults", disarm_faults),
)


def routes(desk: Desk, more: tuple[tuple[str, str, Handler], ...] = ()) -> list[Route]:
    """The routes of the control API, to be mounted under /desk/api."""
    acts = Interactions(desk)
    return [Route(path, _endpoint(desk, acts, run), methods=[verb]) for verb, path, run in (*ROUTES, *more)]


def _endpoint(desk: Desk, acts: Interactions, run: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            values, files = await read_body(request)
            return JSONResponse(await run(Order(desk, acts, values, files, dict(request.path_params))))
        except NotThere as error:
            return JSONResponse({"error": str(error)}, 404)
        except Refused as error:
            return JSONResponse({"error": error.error, **error.detail}, 400)
        except (BadRequest, ValueError) as error:
            return JSONResponse({"error": str(error)}, 400)

    return endpoint
