"""Requests as Slack would post them over HTTP, and what somebody who is not Slack could change in them."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import Any
from urllib.parse import urlencode

from slack_bolt import App, BoltRequest, BoltResponse

from bot.domain.words import Verb
from tests.slack.proposals import LAB, TEAM, Proposal

SECRET = "a signing secret that Slack and we know"
BOB, ALICE, CHARLIE = "U0BOB000001", "U0ALICE0001", "U0CHARLIE01"


def button_of(proposal: Proposal, verb: Verb = Verb.APPROVE) -> str:
    return next(
        str(one["value"]) for block in proposal.message.blocks for one in block.get("elements", [])
        if one.get("action_id") == verb.value
    )  # fmt: skip


def pressed(proposal: Proposal, by: str = BOB, **other: str) -> dict[str, Any]:
    """A press of a button of that card. `other` replaces value, action_id, channel or ts."""
    channel, ts = other.get("channel", LAB), other.get("ts", proposal.message.ts)
    action = {
        "action_id": other.get("action_id", "approve"), "value": other.get("value", button_of(proposal)),
        "block_id": "b", "type": "button", "action_ts": "1.0",
    }  # fmt: skip
    return {
        **common("block_actions", by), "channel": {"id": channel}, "message": {"ts": ts},
        "container": {"type": "message", "channel_id": channel, "message_ts": ts}, "actions": [action],
    }  # fmt: skip


def submitted(proposal: Proposal, by: str, verb: Verb = Verb.REJECT, **other: str) -> dict[str, Any]:
    """A form with a reason, sent by somebody."""
    origin = {
        "press_id": other.get("value", button_of(proposal, verb)), "verb": other.get("verb", verb.value),
        "channel_id": other.get("channel", LAB), "thread_ts": proposal.message.ts,
        "message_ts": other.get("ts", proposal.message.ts),
    }  # fmt: skip
    state = {"values": {"reason": {"value": {"type": "plain_text_input", "value": "because"}}}}
    view = {
        "id": "V1", "type": "modal", "callback_id": "reason_form", "private_metadata": json.dumps(origin),
        "state": state, "hash": "1.a", "blocks": [], "title": {"type": "plain_text", "text": "Reject"},
    }  # fmt: skip
    return {**common("view_submission", by), "view": view}


def common(kind: str, by: str) -> dict[str, Any]:
    user = {"id": by, "team_id": TEAM}
    return {"type": kind, "user": user, "team": {"id": TEAM}, "api_app_id": "A1", "trigger_id": "1.2.3", "token": "t"}


def posted(payload: dict[str, Any]) -> str:
    return urlencode({"payload": json.dumps(payload)})


def signed(body: str, at: float, secret: str = SECRET) -> dict[str, list[str]]:
    base = f"v0:{int(at)}:{body}".encode()
    signature = "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()
    return {
        "x-slack-signature": [signature],
        "x-slack-request-timestamp": [str(int(at))],
        "content-type": ["application/x-www-form-urlencoded"],
    }


def send(app: App, payload: dict[str, Any]) -> BoltResponse:
    """As Slack itself would."""
    body = posted(payload)
    return app.dispatch(BoltRequest(body=body, headers=signed(body, time.time())))
