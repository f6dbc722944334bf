"""A client for the desk, in the words of its people. It needs a base URL and nothing else.

desk = Desk("http://127.0.0.1:8000")
alice, bob = desk.person("Alice"), desk.person("Bob")
request = alice.post("#lab", "@standby every Monday ...", files={"a.log": b"..."})
card = desk.wait_for(lambda m: m.has_button("Approve"), within_s=30)
bob.press(card, "Approve")
assert desk.thread(request)[-1].says("approved")
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

import httpx

from tests.desk_seen import Json, Mail, Message, Outcome, View, view_of

T = TypeVar("T")

__all__ = ["Desk", "DeskRefused", "Json", "Mail", "Message", "NothingCame", "Outcome", "Person", "View"]

# Longer than the desk waits for an acknowledgement (3 s), with room for a busy machine.
ANSWER_WITHIN_S = 30.0
LOOK_EVERY_S = 0.05


class DeskRefused(AssertionError):
    """The desk would not do it: the request makes no sense, or Slack's own app would not let this person."""


class NothingCame(AssertionError):
    """What a test waited for did not come; the text shows what was there instead."""


@dataclass(frozen=True)
class Person:
    """Somebody at the desk. What they do raises DeskRefused where Slack would not let them."""

    desk: Desk = field(repr=False)
    name: str
    id: str

    def post(
        self, channel: str, text: str, files: Mapping[str, bytes] | None = None, *, thread_ts: str = ""
    ) -> Message:
        """Write in a channel (`#lab`), or to the bot (`@standby`)."""
        data = {"person": self.id, "channel": channel, "text": text, "thread_ts": thread_ts}
        parts = [("files", (name, content)) for name, content in (files or {}).items()]
        return self.desk.message_of(self.desk.send("/messages", data=data, files=parts)["message"])

    def post_many(self, channel: str, said: Sequence[Json], within_s: float) -> list[str]:
        """Write `{"text", "files": {name: text}, "thread_of": index}` each, evenly over this time; returns their ts."""
        order = self._order({"channel": channel, "said": list(said), "within_s": within_s})
        return list(self.desk.send("/messages/many", json=order)["posted"])

    def reply(self, message: Message, text: str, files: Mapping[str, bytes] | None = None) -> Message:
        """Write in a message's thread."""
        return self.post(message.channel, text, files, thread_ts=message.thread_ts)

    def amend(self, message: Message, text: str = "") -> None:
        """Change what one's own message says; without a text, take it back."""
        place = {"channel": message.channel, "ts": message.ts, "text": text}
        self.desk.send(f"/messages/{'edit' if text else 'delete'}", json=self._order(place))

    def press(
        self, where: Message | View, name: str, choice: Any = None, *, values: Mapping[str, Any] | None = None
    ) -> Outcome:
        """Press a button, or choose in a menu, by its visible label or action_id; agrees to a confirm dialog."""
        order: Json = {"name": name, "choice": choice, "values": dict(values or {})}
        place = {"view_id": where.id} if isinstance(where, View) else {"channel": where.channel, "ts": where.ts}
        return self._outcome("/press", order | place)

    def forge(self, where: Message, button: Json) -> Outcome:
        """Send the press of a button that somebody else was given, as if it stood on this message for this person."""
        return self._outcome("/forge", {"channel": where.channel, "ts": where.ts, "action": button})

    def submit(self, view: View, values: Mapping[str, Any] | None = None) -> Outcome:
        """Submit a modal. `values` are by label, action_id or block_id; options by their text or value."""
        return self._outcome("/views/submit", {"view_id": view.id, "values": dict(values or {})})

    def close(self, view: View) -> Outcome:
        return self._outcome("/views/close", {"view_id": view.id})

    def command(self, channel: str, command: str, text: str = "") -> Outcome:
        """Type a slash command."""
        return self._outcome("/commands", {"channel": channel, "command": command, "text": text})

    def shortcut(self, callback_id: str, message: Message | None = None) -> Outcome:
        """Choose a shortcut, from a message's menu or from the composer's."""
        place = {"channel": message.channel, "ts": message.ts} if message else {}
        return self._outcome("/shortcuts", {"callback_id": callback_id, **place})

    def react(self, message: Message, name: str) -> None:
        self.desk.send("/reactions", json=self._order({"channel": message.channel, "ts": message.ts, "name": name}))

    def open_home(self) -> None:
        """Open the app's Home tab; what it shows is `home()`."""
        self.desk.send("/home", json=self._order({}))

    def home(self) -> View | None:
        raw = self.desk.ask("/views", person=self.id)["home"]
        return view_of(raw) if raw else None

    def views(self) -> list[View]:
        """The modals open for this person, the top one last."""
        return [view_of(raw) for raw in self.desk.ask("/views", person=self.id)["views"]]

    def wait_for_view(
        self, fits: Callable[[View], bool] = lambda _view: True, *, within_s: float = ANSWER_WITHIN_S
    ) -> View:
        """The top modal, once there is one that fits."""

        def top() -> View | None:
            views = self.views()
            return views[-1] if views and fits(views[-1]) else None

        return self.desk.wait_until(
            top, within_s=within_s, otherwise=lambda: f"No such form opened. Open: {self.views()}"
        )

    def sees(self, channel: str) -> list[Message]:
        """The messages of a channel that this person sees, ephemeral ones among them."""
        return self.desk.messages(channel, person=self.id)

    def _outcome(self, path: str, order: Json) -> Outcome:
        return Outcome(**self.desk.send(path, json=self._order(order)))

    def _order(self, order: Json) -> Json:
        return {"person": self.id, **order}


class Desk:
    """A running desk, by its base URL."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        # trust_env=False: a proxy from the environment has no business on loopback.
        self._http = httpx.Client(base_url=f"{self.url}/desk/api", timeout=ANSWER_WITHIN_S, trust_env=False)

    def close(self) -> None:
        self._http.close()

    # People and what was said ------------------------------------------------------------------------------

    def person(self, name: str) -> Person:
        """Alice (asks), Bob (a teammate), Charlie (a stranger from another workspace)."""
        for one in self.state()["people"]:
            if name in (one["id"], one["name"], one["real_name"]):
                return Person(self, one["real_name"], one["id"])
        raise DeskRefused(f"Nobody at the desk is called {name!r}.")

    def state(self) -> Json:
        return self.ask("/state")

    def messages(self, channel: str = "#lab", *, person: str = "", thread_ts: str = "") -> list[Message]:
        """All messages of a channel, oldest first: everybody's, or what one person sees."""
        query = {"channel": channel, "thread_ts": thread_ts} | ({"person": person} if person else {})
        return [self.message_of(raw) for raw in self.ask("/messages", **query)["messages"]]

    def thread(self, message: Message) -> list[Message]:
        """The message's whole thread, root first."""
        return self.messages(message.channel, thread_ts=message.thread_ts)

    def again(self, message: Message) -> Message:
        """The message as it is now."""
        found = [one for one in self.messages(message.channel) if one.ts == message.ts]
        if not found:
            raise NothingCame(f"The message {message.text!r} is gone.")
        return found[0]

    def wait_for(
        self,
        fits: Callable[[Message], bool],
        *,
        within_s: float = ANSWER_WITHIN_S,
        channel: str = "#lab",
        after: Message | None = None,
    ) -> Message:
        """The first message that fits, once there is one; `after` leaves out those up to that message."""

        def found() -> Message | None:
            since = after.ts if after else ""
            return next((one for one in self.messages(channel) if one.ts > since and fits(one)), None)

        def otherwise() -> str:
            lines = [f"  {one.author}: {one.words[:200]!r}" for one in self.messages(channel)]
            return f"No such message came to {channel} within {within_s} s. There is:\n" + "\n".join(lines)

        return self.wait_until(found, within_s=within_s, otherwise=otherwise)

    def wait_until(
        self, look: Callable[[], T | None], *, within_s: float = ANSWER_WITHIN_S, otherwise: Callable[[], str] = str
    ) -> T:
        """The first value that is not empty. Raises NothingCame with what `otherwise` says."""
        deadline = time.monotonic() + within_s
        while True:
            value = look()
            if value:
                return value
            if time.monotonic() > deadline:
                raise NothingCame(otherwise() or f"It did not happen within {within_s} s.")
            time.sleep(LOOK_EVERY_S)

    def download(self, file: Json) -> bytes:
        """The bytes of a message's file, as a person would save them."""
        return self._checked(self._http.get(f"/files/{file['id']}")).content

    # Clock, mails, ledger, story ---------------------------------------------------------------------------

    def now(self) -> datetime:
        return datetime.fromisoformat(self.state()["clock"]["now"])

    def move_clock_to(self, instant: datetime) -> None:
        """Make it this instant now; only forward."""
        self.send("/clock", json={"to": instant.isoformat()})

    def move_clock_to_weekday(self, weekday: str = "monday", at: str = "07:00", zone: str = "Europe/Oslo") -> datetime:
        """Make it the next such weekday and wall-clock time; returns desk time in UTC."""
        moved = self.send("/clock", json={"weekday": weekday, "at": at, "zone": zone})
        return datetime.fromisoformat(moved["now"])

    def mails(self) -> list[Mail]:
        """Everything the mail sink received, oldest first."""
        return [
            Mail(
                raw, raw["number"], raw["from"], raw["to"], raw["subject"], raw["text"], raw["html"], raw["attachments"]
            )
            for raw in self.ask("/mails")["mails"]
        ]

    def mail_attachment(self, mail: Mail, index: int) -> bytes:
        return self._checked(self._http.get(f"/mails/{mail.number}/attachments/{index}")).content

    def wait_for_mail(self, fits: Callable[[Mail], bool], *, within_s: float = ANSWER_WITHIN_S) -> Mail:
        def found() -> Mail | None:
            return next((mail for mail in self.mails() if fits(mail)), None)

        return self.wait_until(found, within_s=within_s, otherwise=lambda: f"No such mail came. Came: {self.mails()}")

    def ledger(self, kind: str = "", since: int = 0) -> list[Json]:
        """What happened, in order; kinds are call, event, transfer and mail."""
        entries = self.ask("/ledger", since=since)["entries"]
        return [one for one in entries if kind in ("", one["kind"])]

    def calls(self, method: str = "") -> list[Json]:
        """The Web API calls, of one method or all."""
        return [one for one in self.ledger("call") if method in ("", one["method"])]

    def refused(self) -> list[Json]:
        """The Web API calls that the desk refused."""
        return [one for one in self.ledger("call") if not one["ok"]]

    def story_files(self, name: str) -> dict[str, bytes]:
        """A generated set of files: request, quiet, changed (for the coming week) or books."""
        names = self.ask("/story", set=name)["files"]
        return {one: self._checked(self._http.get(f"/story/{name}/{one}")).content for one in names}

    # Troubles ----------------------------------------------------------------------------------------------

    def fault(self, kind: str, target: str = "", **more: Any) -> None:
        """Arm a trouble; GET /desk/api/faults lists the kinds. `more` is times, seconds, reply."""
        self.send("/faults", json={"kind": kind, "target": target, **more})

    def no_faults(self) -> None:
        self._checked(self._http.delete("/faults"))

    def channel(self, action: str, channel: str, by: str = "Alice") -> None:
        """archive, unarchive, remove_bot or invite_bot."""
        self.send(f"/channels/{action}", json={"channel": channel, "person": by})

    def people(self, action: str, name: str) -> None:
        """deactivate or reactivate somebody's account."""
        self.send(f"/people/{action}", json={"person": name})

    def revoke_token(self, *, revoked: bool = True) -> None:
        """As after an uninstall, until the app is installed again."""
        self.send("/settings", json={"token_revoked": revoked})

    def sockets(self, action: str) -> int:
        """warn, refresh, cut, off or on; returns how many connections it reached."""
        return int(self.send(f"/sockets/{action}", json={})["connections"])

    def delete_file(self, file: Json) -> None:
        self.send("/files/delete", json={"file": file["id"]})

    def settings(
        self,
        *,
        scopes: Sequence[str] | None = None,
        redelivery_waits_s: Sequence[float] | None = None,
        ack_within_s: float | None = None,
        request_url: str | None = None,
    ) -> Json:
        """Change what the app was granted, how soon events come again, how long an answer is waited for, and where."""
        given = {"scopes": scopes, "redelivery_waits_s": redelivery_waits_s, "ack_within_s": ack_within_s}
        return self.send("/settings", json={**given, "request_url": request_url})

    # The wire ----------------------------------------------------------------------------------------------

    def ask(self, path: str, **query: Any) -> Json:
        return self._json(self._http.get(path, params=query))

    def send(self, path: str, **body: Any) -> Json:
        return self._json(self._http.post(path, **body))

    def message_of(self, raw: Json) -> Message:
        return Message(raw, raw["ts"], raw["channel"], raw["user"], raw["text"])

    def _json(self, response: httpx.Response) -> Json:
        answer: Json = self._checked(response).json()
        return answer

    def _checked(self, response: httpx.Response) -> httpx.Response:
        if response.status_code >= 400:
            raise DeskRefused(f"{response.request.method} {response.request.url.path}: {response.text}")
        return response
