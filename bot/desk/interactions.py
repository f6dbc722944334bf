"""What people do with the app: presses, submissions, commands and shortcuts, and what its acknowledgement changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.desk.api_views import new_hash, pushed
from bot.desk.block_check import require_view
from bot.desk.delivery import Ack, Envelope
from bot.desk.desk import Desk
from bot.desk.elements import Placed, find_element, state_values, unmet_requirements, value_payload
from bot.desk.errors import BadRequest, NotThere, Refused
from bot.desk.response_urls import answer_command
from bot.desk.shapes import Channel, Json, Message, Person, View

# What a person reads when the app did not acknowledge in time, or acknowledged with nonsense.
NO_ANSWER = "Standby did not answer within 3 seconds. Try again."


@dataclass(frozen=True)
class Outcome:
    """How an interaction went. `errors` are a form's, by block_id; `view_open` says whether a modal stays."""

    acked: bool
    errors: dict[str, str]
    problem: str = ""
    view_open: bool = False

    def as_json(self) -> Json:
        return {
            "acked": self.acked,
            "errors": self.errors,
            "problem": self.problem,
            "view_open": self.view_open,
        }


class Interactions:
    """Builds each payload as Slack does, delivers it and acts on the acknowledgement."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def press(
        self, person: Person, message: Message, name: str, choice: Any = None, entered: Mapping[str, Any] | None = None
    ) -> Outcome:
        """Use an element of a message: press a button, choose an entry (`choice`). A confirm dialog is agreed to.

        Raises NotThere if this person sees no such element.
        """
        channel = self._desk.workspace.channels[message.channel]
        if message.ephemeral_to not in ("", person.id) or person.id not in channel.members:
            raise NotThere(f"{person.real_name} does not see that message.")
        action = self._action(find_element(message.blocks, name), name, choice)
        return await self._on_message(person, message, action, entered or {})

    async def forge(self, person: Person, message: Message, action: Json) -> Outcome:
        """Send a press that no client would send: of a button that this person never saw, as if it stood there."""
        return await self._on_message(person, message, action | {"action_ts": self._desk.clock.stamp()}, {})

    async def _on_message(self, person: Person, message: Message, action: Json, entered: Mapping[str, Any]) -> Outcome:
        channel = self._desk.workspace.channels[message.channel]
        payload = self._common("block_actions", person) | {
            "container": self._container(message),
            "channel": _channel_of(channel),
            "state": {"values": state_values(self._desk.workspace, message.blocks, entered)},
            "response_url": self._desk.new_response_url(person, channel.id, message.ts, message.thread_ts),
            "actions": [action],
        }
        if not message.ephemeral_to:
            payload["message"] = self._desk.render.message(message, with_metadata=True)
        return _outcome(await self._send(payload))

    async def press_in_view(
        self, person: Person, view: View, name: str, choice: Any = None, entered: Mapping[str, Any] | None = None
    ) -> Outcome:
        """Use an element of a modal or of the Home tab."""
        placed = find_element(view.content["blocks"], name)
        self._remember_state(view, entered or {})
        payload = self._common("block_actions", person, view.id) | {
            "container": {"type": "view", "view_id": view.id},
            "view": self._desk.render.view(view),
            "actions": [self._action(placed, name, choice)],
        }
        return _outcome(await self._send(payload))

    async def submit(self, person: Person, view: View, entered: Mapping[str, Any]) -> Outcome:
        """Submit a modal. What Slack's dialog would not let pass never reaches the app."""
        if view.is_home or view.user != person.id:
            raise NotThere(f"{person.real_name} has no such form open.")
        blocks = view.content["blocks"]
        self._remember_state(view, entered)
        unmet = unmet_requirements(blocks, view.content["state_values"])
        if unmet:
            return Outcome(False, unmet, view_open=True)
        payload = self._common("view_submission", person, view.id)
        payload |= {"view": self._desk.render.view(view), "response_urls": []}
        ack = await self._send(payload)
        if ack is None:
            return Outcome(False, {}, NO_ANSWER, view_open=True)
        return self._after_submission(view, ack.payload)

    async def close(self, person: Person, view: View) -> Outcome:
        """Close a modal; what lies below it comes back. The app hears of it only if it asked to."""
        if view.id not in self._desk.workspace.views or view.user != person.id:
            raise NotThere(f"{person.real_name} has no such form open.")
        self._take_away(view)
        if not view.content.get("notify_on_close"):
            return Outcome(True, {})
        payload = self._common("view_closed", person)
        del payload["trigger_id"]
        return _outcome(await self._send(payload | {"view": self._desk.render.view(view), "is_cleared": False}))

    async def command(self, person: Person, channel: Channel, command: str, text: str) -> Outcome:
        """Type a slash command."""
        workspace = self._desk.workspace
        if command not in workspace.app.commands:
            raise BadRequest(f"{command} is not a command here. There is: {', '.join(workspace.app.commands)}.")
        response_url = self._desk.new_response_url(person, channel.id)
        payload = {
            "token": "desk-verification",
            "team_id": workspace.team.id,
            "team_domain": workspace.team.domain,
            "channel_id": channel.id,
            "channel_name": "directmessage" if channel.is_im else channel.name,
            "user_id": person.id,
            "user_name": person.name,
            "command": command,
            "text": text,
            "api_app_id": workspace.app.id,
            "enterprise_id": (workspace.enterprise or {}).get("id", ""),
            "is_enterprise_install": str(workspace.is_org_wide).lower(),
            "response_url": response_url,
            "trigger_id": self._desk.new_trigger(person).id,
        }
        ack = await self._desk.delivery.deliver(Envelope.COMMAND, payload, type_=command)
        if ack and ack.payload:
            answer_command(self._desk, workspace.response_urls[response_url.rpartition("/")[2]], ack.payload)
        return _outcome(ack)

    async def message_shortcut(self, person: Person, message: Message, callback_id: str) -> Outcome:
        """Choose a shortcut from a message's menu."""
        channel = self._desk.workspace.channels[message.channel]
        payload = self._common("message_action", person) | {
            "callback_id": callback_id,
            "action_ts": self._desk.clock.stamp(),
            "channel": _channel_of(channel),
            "message_ts": message.ts,
            "message": self._desk.render.message(message),
            "response_url": self._desk.new_response_url(person, channel.id, "", message.thread_ts),
        }
        return _outcome(await self._send(payload))

    async def global_shortcut(self, person: Person, callback_id: str) -> Outcome:
        """Choose a shortcut from the composer's menu."""
        payload = self._common("shortcut", person)
        payload |= {"callback_id": callback_id, "action_ts": self._desk.clock.stamp()}
        return _outcome(await self._send(payload))

    # The shared parts of payloads -------------------------------------------------------------------------

    async def _send(self, payload: Json) -> Ack | None:
        return await self._desk.delivery.deliver(Envelope.INTERACTIVE, payload, type_=payload["type"])

    def _common(self, type_: str, person: Person, view_id: str = "") -> Json:
        team = self._desk.workspace.team
        return {
            "type": type_,
            "user": {"id": person.id, "username": person.name, "name": person.name, "team_id": person.team_id},
            "api_app_id": self._desk.workspace.app.id,
            "token": "desk-verification",
            "team": {"id": team.id, "domain": team.domain},
            "enterprise": self._desk.workspace.enterprise,
            "is_enterprise_install": self._desk.workspace.is_org_wide,
            "trigger_id": self._desk.new_trigger(person, view_id).id,
        }

    def _container(self, message: Message) -> Json:
        container = {
            "type": "message",
            "message_ts": message.ts,
            "channel_id": message.channel,
            "is_ephemeral": bool(message.ephemeral_to),
        }
        return container | ({"thread_ts": message.thread_ts} if message.thread_ts else {})

    def _action(self, placed: Placed, name: str, choice: Any) -> Json:
        element = placed.element
        action: Json = {
            "type": element["type"],
            "action_id": element["action_id"],
            "block_id": placed.block["block_id"],
            "action_ts": self._desk.clock.stamp(),
        }
        if element["type"] in ("button", "icon_button", "workflow_button"):
            kept = ("text", "value", "style", "url", "confirm")
            return action | {one: element[one] for one in kept if one in element}
        # An entry of a menu may be meant by its own words: press "Decline…" rather than the menu it lies in.
        raw = choice if choice is not None else (None if name in placed.names else name)
        return action | value_payload(self._desk.workspace, element, raw)

    # What an acknowledgement changes ----------------------------------------------------------------------

    def _remember_state(self, view: View, entered: Mapping[str, Any]) -> None:
        view.content["state_values"] = state_values(self._desk.workspace, view.content["blocks"], entered)

    def _after_submission(self, view: View, answer: Json) -> Outcome:
        action = answer.get("response_action", "")
        try:
            if action == "errors":
                return Outcome(True, _known_errors(view, answer.get("errors") or {}), view_open=True)
            if action in ("update", "push"):
                self._replace(view, require_view(answer.get("view")), on_top=action == "push")
                return Outcome(True, {}, view_open=True)
        except Refused as refused:
            return Outcome(True, {}, f"Slack would refuse this answer: {refused.error}. {refused.detail}", True)
        if action == "clear":
            for one in self._desk.workspace.stack(self._desk.workspace.people[view.user]):
                self._take_away(one)
        else:
            self._take_away(view)
        return Outcome(True, {})

    def _replace(self, view: View, content: Json, *, on_top: bool) -> None:
        if on_top:
            above = pushed(view, content)
            self._desk.workspace.views[above.id] = above
        else:
            view.content, view.hash = content, new_hash()
        self._desk.changes.tell("views", view.user)

    def _take_away(self, view: View) -> None:
        self._desk.workspace.views.pop(view.id, None)
        self._desk.changes.tell("views", view.user)


def _channel_of(channel: Channel) -> Json:
    return {"id": channel.id, "name": "directmessage" if channel.is_im else channel.name}


def _outcome(ack: Ack | None) -> Outcome:
    return Outcome(ack is not None, {}, "" if ack else NO_ANSWER)


def _known_errors(view: View, errors: Json) -> dict[str, str]:
    known = {block["block_id"] for block in view.content["blocks"] if block["type"] == "input"}
    if not errors or not set(errors) <= known:
        raise Refused("invalid_arguments", unknown_blocks=sorted(set(errors) - known))
    return {name: str(words) for name, words in errors.items()}
