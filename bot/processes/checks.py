"""Checks on our side: disk, database, clock, boxes, mail. Each looks at the real thing and changes nothing."""

from __future__ import annotations

import os
import shutil
import smtplib
import ssl
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx
import psycopg
from sqlalchemy.exc import SQLAlchemyError

from bot.domain.here import is_loopback
from bot.processes.database import seal_of
from bot.processes.wiring import boxes as provider
from bot.settings import Settings, SettingsError
from bot.store import locks
from bot.store.embedded import AlreadyRunning, Embedded, EmbeddedError
from bot.store.migrate import current_revision, head_revision
from bot.store.session import Database, libpq_url
from bot.work.verify import newest_problems
from sandbox.errors import BoxError

FREE_BYTES = 2_000_000_000  # inputs of past slots are kept; less than this fills within days
DRIFT_S = 5.0
TIMEOUT_S = 10.0


@dataclass(frozen=True)
class Finding:
    """What one check saw. `todo` says what to do; it may also advise where nothing is wrong."""

    part: str
    ok: bool
    says: str
    todo: str = ""


def disk(settings: Settings) -> Finding:
    """Room in the data folder, and whether we may write there."""
    folder = next(step for step in (settings.data_dir, *settings.data_dir.parents) if step.exists())
    free = shutil.disk_usage(folder).free
    if not os.access(folder, os.W_OK):
        return Finding("disk", False, f"{folder} is not writable", "Give the folder to this user, or use --data.")
    if free < FREE_BYTES:
        return Finding("disk", False, f"{free / 1e9:.1f} GB free at {folder}", "Make room, or use another folder.")
    return Finding("disk", True, f"{free / 1e9:.0f} GB free at {settings.data_dir}")


def database(settings: Settings) -> Finding:
    """Whether it answers and has this version's schema. The embedded one is started for the look if nobody runs it."""
    try:
        if settings.database_url:
            return _schema(settings.database_url)
        if not (settings.data_dir / "database" / "cluster").exists():
            return Finding("database", True, "none yet: `standby up` makes one in the data folder")
        with Embedded(settings.data_dir) as embedded:
            return _schema(embedded.url)
    except AlreadyRunning as error:
        return Finding("database", False, str(error), "Wait a moment: a `standby up` is just starting or stopping.")
    except EmbeddedError as error:
        return Finding("database", False, "embedded, cannot be started", str(error))


def history(settings: Settings) -> Finding:
    """The newest entries of the history; `standby verify` looks at all of it, and at everything else that is stored."""
    if not settings.database_url:
        return Finding("history", True, "looked at while Standby runs; `standby verify` looks at all of it")
    try:
        with closing(Database(settings.database_url, seal=seal_of(settings))) as db:
            found = newest_problems(db)
    except (SQLAlchemyError, SettingsError) as error:
        return Finding(
            "history", False, f"cannot be read: {str(error).strip().splitlines()[0]}", "Look at the database."
        )
    if found:
        return Finding("history", False, " ".join(found), "Somebody changed it. `standby verify` says all there is.")
    sealed = "sealed" if db.seal.key else "not sealed yet"
    return Finding("history", True, f"its newest entries follow from each other, {sealed}")


def _schema(url: str) -> Finding:
    try:
        with psycopg.connect(libpq_url(url), connect_timeout=int(TIMEOUT_S)) as connection:
            version = connection.info.server_version // 10_000
            apart_s = _apart_s(connection)
        found, wanted = current_revision(url), head_revision()
    except psycopg.Error as error:
        said = str(error).strip().splitlines()[0]
        return Finding("database", False, f"does not answer: {said}", "Check STANDBY_DATABASE_URL and the server.")
    if found != wanted:
        return Finding("database", False, f"has schema {found}, not {wanted}", "Run `standby migrate`.")
    if abs(apart_s) > DRIFT_S:
        todo = "Set both computers' clocks by NTP; slots are decided by ours."
        return Finding("database", False, f"its clock is {apart_s:+.0f} s from ours", todo)
    return Finding("database", True, f"PostgreSQL {version}, schema {found}")


def _apart_s(connection: psycopg.Connection[tuple[object, ...]]) -> float:
    row = connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()
    return float(str(row[0])) - datetime.now(UTC).timestamp() if row else 0.0


def clock(settings: Settings) -> Finding:
    """What time Standby goes by, and whether a clock process minds it."""
    try:
        now = _time(settings.clock_url)
    except (httpx.HTTPError, ValueError, KeyError) as error:
        todo = "Check STANDBY_CLOCK_URL, or unset it to use this computer's clock."
        return Finding("clock", False, f"{settings.clock_url} tells no time ({error})", todo)
    ahead_s = (now - datetime.now(UTC)).total_seconds()
    says = f"{now:%Y-%m-%d %H:%M} UTC" + (f", {ahead_s / 3600:.1f} h ahead of this computer" * (ahead_s > 1))
    if settings.database_url and not _is_led(settings.database_url):
        todo = "Start it: `standby clock` (or `uv run standby up`, which starts everything)."
        return Finding("clock", False, f"{says}; no clock process runs, so nothing starts by itself", todo)
    return Finding("clock", True, says)


def _time(url: str) -> datetime:
    if not url:
        return datetime.now(UTC)
    with httpx.Client(trust_env=not is_loopback(url), timeout=TIMEOUT_S) as client:
        return datetime.fromisoformat(client.get(url).raise_for_status().json()["now"])


def _is_led(database_url: str) -> bool:
    """Whether some clock process holds the leader's lock."""
    held = (
        "SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database() "
        "AND locktype = 'advisory' AND granted AND (classid::int8 << 32) + objid::int8 = %s"
    )
    try:
        with psycopg.connect(libpq_url(database_url), connect_timeout=int(TIMEOUT_S)) as connection:
            return connection.execute(held, (locks.LEADER,)).fetchone() is not None
    except psycopg.Error:
        return False


def boxes(settings: Settings) -> Finding:
    """Opens a box and tries to get out of it."""
    try:
        proofs = provider(settings).prove_sealed()
    except SettingsError as error:
        return Finding("boxes", False, "none", str(error))
    except BoxError as error:
        return Finding("boxes", False, "no box could be used", str(error))
    broken = [f"{proof.claim}: {proof.seen}" for proof in proofs if not proof.holds]
    if broken:
        todo = "Run nothing there. Use another provider, or see README on boxes."
        return Finding("boxes", False, f"a box is not sealed ({'; '.join(broken)})", todo)
    where = "hosted" if not settings.box_api_url else f"at {settings.box_api_url}"
    return Finding("boxes", True, f"sealed, {where}: {len(proofs)} attempts to get out failed")


def mail(settings: Settings) -> Finding:
    """Says hello to the mail server and logs in; sends nothing."""
    if not settings.smtp_host:
        wanted = bool(settings.destinations)
        todo = "Set STANDBY_SMTP_HOST and STANDBY_MAIL_FROM." if wanted else ""
        return Finding("mail", not wanted, "no mail server, so no report by e-mail", todo)
    if not settings.mail_from:
        return Finding("mail", False, "reports have no sender address", "Set STANDBY_MAIL_FROM.")
    where = f"{settings.smtp_host}:{settings.smtp_port}"
    try:
        with smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=TIMEOUT_S) as server:
            server.ehlo()
            if settings.smtp_starttls:
                server.starttls(context=ssl.create_default_context())
                server.ehlo()
            if settings.smtp_user:
                server.login(settings.smtp_user, settings.smtp_password.get_secret_value())
    except smtplib.SMTPAuthenticationError:
        return Finding(
            "mail", False, f"{where} refuses the login", "Check STANDBY_SMTP_USER and STANDBY_SMTP_PASSWORD."
        )
    except (smtplib.SMTPException, OSError) as error:
        todo = "Check STANDBY_SMTP_HOST, _PORT and _STARTTLS, and that this computer may reach it."
        return Finding("mail", False, f"{where} does not take mail ({error})", todo)
    return Finding("mail", True, f"{where} answers, sender {settings.mail_from}; nothing was sent")
