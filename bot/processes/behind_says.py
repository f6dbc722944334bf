"""What the desk's page is told of what is behind the app, as plain values for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import httpx

from bot.agent.config import ModelSettings
from bot.domain.bill_words import said, usd
from bot.domain.here import is_loopback
from bot.domain.words import SlotState
from bot.settings import Settings, SettingsError
from bot.store.session import Database
from bot.work.cost import bills
from bot.work.spent import Line, due_of_runs, lines

Said = dict[str, Any]
TIMEOUT_S = 5.0
_HOSTED = "Boxes are hosted by E2B: what ran in them stands in E2B's own dashboard, and is not asked for here."


def about(settings: Settings, environ: Mapping[str, str]) -> Said:
    """Model, boxes, database and mail, each with what leaves this computer by it."""
    return {"facts": [_model(environ), _boxes(settings), _database(settings), _mail(settings)]}


def _fact(what: str, words: str, leaves: str = "") -> Said:
    return {"what": what, "is": words, "leaves": leaves}


def _model(environ: Mapping[str, str]) -> Said:
    try:
        found = ModelSettings.load(environ)
    except SettingsError:
        return _fact("Model", "none: its settings cannot be used; `standby doctor` says why")
    if found is None:
        return _fact("Model", "none: proven scripts of the library alone")
    if is_loopback(found.base_url):
        return _fact("Model", f"{found.name}, on this computer")
    host = urlsplit(found.base_url).hostname
    return _fact("Model", f"{found.name} at {host}", f"requests and small samples of files, to {host}")


def _boxes(settings: Settings) -> Said:
    if is_loopback(settings.box_api_url):
        return _fact("Boxes", "on this computer, sealed: no network")
    host = urlsplit(settings.box_api_url).hostname or "E2B"
    return _fact("Boxes", f"hosted by {host}, without network", f"scripts and the files they read, to {host}")


def _database(settings: Settings) -> Said:
    host = urlsplit(settings.database_url).hostname or ""
    if not host or is_loopback(f"http://{host}"):
        return _fact("Database", f"PostgreSQL on this computer, data in {settings.data_dir}")
    return _fact("Database", f"PostgreSQL at {host}", f"all that Standby keeps, to the database at {host}")


def _mail(settings: Settings) -> Said:
    if is_loopback(f"http://{settings.smtp_host}"):
        return _fact("Mail", "kept under Mail, sent to nobody")
    return _fact("Mail", f"sent through {settings.smtp_host}", f"reports by mail, through {settings.smtp_host}")


def boxes(settings: Settings) -> Said:
    """What the box server on this computer remembers. Raises httpx.HTTPError and ValueError."""
    if not is_loopback(settings.box_api_url):
        return {"note": _HOSTED, "boxes": []}
    key = {"X-API-Key": settings.box_api_key.get_secret_value()}
    with httpx.Client(trust_env=False, timeout=TIMEOUT_S) as http:
        answer = http.get(f"{settings.box_api_url}/standby/boxes", headers=key).raise_for_status()
    slots = _slots(settings)
    found = [_box(one, slots) for one in answer.json()["boxes"]]
    return {"note": "As the box server remembers since it started; times are this computer's own.", "boxes": found}


def _box(one: Said, slots: Mapping[str, str]) -> Said:
    tags = one["tags"]
    what = " of ".join(filter(None, [tags.get("purpose", "a box"), tags.get("routine", "")]))
    told = {"what": what, "where": "this computer", "slot_at": slots.get(tags.get("run", ""))}
    return told | {name: one[name] for name in ("id", "began_at", "ended_at", "commands")}


def _slots(settings: Settings) -> Mapping[str, str]:
    """When the slot of each recent run was due, by the run's number."""
    with closing(Database(settings.database_url, pool_size=1)) as db, db.transaction() as session:
        return {str(run): at.isoformat() for run, at in due_of_runs(session).items()}


def spent(settings: Settings) -> Said:
    """What was asked of a model and paid, beside the slots that came."""
    with closing(Database(settings.database_url, pool_size=1)) as db, db.transaction() as session:
        found = lines(session)
        says = [f"{routine.name}: {said(bill)}" for routine, bill in bills(session)]
    slots = [line for line in found if not line.cause]
    quiet = [line for line in slots if line.is_quiet]
    sums = [
        _sum("quiet slots: delivered, nobody woken", quiet),
        _sum("other slots", [line for line in slots if not line.is_quiet]),
        _sum("conversations with a model", [line for line in found if line.cause]),
    ]
    return {"says": says, "sums": sums, "lines": [_line(line) for line in found]}


def _sum(what: str, some: Sequence[Line]) -> Said:
    prices = [line.micro_usd for line in some]
    paid = usd(None if None in prices else sum(price or 0 for price in prices))
    requests, tokens = sum(line.requests for line in some), sum(line.tokens for line in some)
    return {"what": what, "count": len(some), "requests": requests, "tokens": tokens, "paid": paid}


def _how(line: Line) -> str:
    if line.was_halted and line.state != SlotState.HALTED:
        return f"{line.state}, after it halted"
    return line.cause or line.state


def _line(line: Line) -> Said:
    told = {name: getattr(line, name) for name in ("routine", "read_bytes", "requests", "tokens")}
    what = {"at": line.at.isoformat(), "what": "conversation" if line.cause else "slot", "how": _how(line)}
    return {**what, **told, "seconds": round(line.run_s, 1), "paid": usd(line.micro_usd)}
