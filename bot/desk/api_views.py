"""Web API: modals and the Home tab."""

from __future__ import annotations

import secrets
from time import monotonic

from bot.desk import limits
from bot.desk.api_workspace import require_person
from bot.desk.arguments import Arguments
from bot.desk.block_check import require_view
from bot.desk.desk import Desk
from bot.desk.errors import Refused
from bot.desk.methods import Method
from bot.desk.shapes import Json, Trigger, View, new_id


def open_(desk: Desk, arguments: Arguments) -> Json:
    content = checked(arguments, "modal")
    trigger = _use_trigger(desk, arguments)
    _require_unique(desk, content)
    view = new_view(trigger.user, content)
    # A new modal takes the place of the stack that was open.
    for old in desk.workspace.stack(desk.workspace.people[trigger.user]):
        del desk.workspace.views[old.id]
    return _kept(desk, view)


def push(desk: Desk, arguments: Arguments) -> Json:
    content = checked(arguments, "modal")
    trigger = _use_trigger(desk, arguments)
    stack = desk.workspace.stack(desk.workspace.people[trigger.user])
    if not stack:
        raise Refused("not_found", response_metadata={"messages": ["[ERROR] no modal is open to push onto"]})
    if len(stack) >= limits.VIEW_STACK:
        raise Refused("push_limit_reached")
    return _kept(desk, pushed(stack[-1], content))


def update(desk: Desk, arguments: Arguments) -> Json:
    view = _named(desk, arguments)
    if arguments.text("hash") and arguments.text("hash") != view.hash:
        raise Refused("hash_conflict")
    view.content, view.hash = checked(arguments, "modal"), new_hash()
    desk.changes.tell("views", view.user)
    return {"view": desk.render.view(view)}


def publish(desk: Desk, arguments: Arguments) -> Json:
    person = require_person(desk, arguments.required("user_id"))
    old = desk.workspace.homes.get(person.id)
    if old and arguments.text("hash") and arguments.text("hash") != old.hash:
        raise Refused("hash_conflict")
    content = checked(arguments, "home")
    view = new_view(person.id, content)
    if old:
        view.id = view.root_id = old.id
    desk.workspace.homes[person.id] = view
    desk.changes.tell("home", person.id)
    return {"view": desk.render.view(view)}


def checked(arguments: Arguments, kind: str) -> Json:
    """The call's view, which must be of this kind. Raises Refused(invalid_arguments)."""
    view = arguments.object("view")
    if view is None or view.get("type") != kind:
        raise Refused("invalid_arguments", response_metadata={"messages": [f"[ERROR] view must be a {kind}"]})
    return require_view(view)


def new_hash() -> str:
    return f"{int(monotonic())}.{secrets.token_hex(4)}"


def new_view(user: str, content: Json) -> View:
    view_id = new_id("V")
    return View(view_id, user, content, new_hash(), root_id=view_id)


def pushed(top: View, content: Json) -> View:
    """A new view on top of another one."""
    view = new_view(top.user, content)
    view.root_id, view.previous_id = top.root_id, top.id
    return view


def _kept(desk: Desk, view: View) -> Json:
    desk.workspace.views[view.id] = view
    desk.changes.tell("views", view.user)
    return {"view": desk.render.view(view)}


def _use_trigger(desk: Desk, arguments: Arguments) -> Trigger:
    name = arguments.text("trigger_id") or arguments.text("interactivity_pointer")
    trigger = desk.workspace.triggers.get(name)
    if trigger is None:
        raise Refused("invalid_trigger_id")
    if trigger.is_used:
        raise Refused("exchanged_trigger_id")
    if monotonic() - trigger.born_s > limits.TRIGGER_LIFE_S:
        raise Refused("expired_trigger_id")
    trigger.is_used = True
    return trigger


def _require_unique(desk: Desk, content: Json) -> None:
    name = content.get("external_id")
    if name and any(one.content.get("external_id") == name for one in desk.workspace.views.values()):
        raise Refused("duplicate_external_id")


def _named(desk: Desk, arguments: Arguments) -> View:
    view_id, external_id = arguments.text("view_id"), arguments.text("external_id")
    for view in desk.workspace.views.values():
        if view.id == view_id or (external_id and view.content.get("external_id") == external_id):
            return view
    raise Refused("not_found")


METHODS = (
    Method("views.open", open_),
    Method("views.push", push),
    Method("views.update", update),
    Method("views.publish", publish),
)
