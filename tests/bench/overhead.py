"""From the due moment to report and mail, beside what a line of cron would do: same script, same posts."""

from __future__ import annotations

import shutil
import smtplib
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
from sqlmodel import select

from bot.store.blobs import Blobs
from bot.store.session import Database
from bot.store.tables import Routine
from bot.work.export import export
from tests.bench.bench import Bench, demand
from tests.bench.chaos import look
from tests.bench.plants import Plant
from tests.bench.worlds import whole_world
from tests.flows.small_logs import small
from tests.flows.world import World

WEEKS = 5
WITHIN_S = 60.0
MOST_MS = 10_000  # nobody waits for a report at 07:00 and 10 s
# Each job waits a good while before it is begun.
PLANT = Plant(
    "bot/work/sweep.py", 'enqueue(session, Job.RUN, lock=f"slot:{slot_id}", ', "enqueue(session, Job.RUN, after_s=20, "
)


def measure(folder: Path, code: Path | None, _rest: list[str]) -> dict[str, Any]:
    with whole_world(folder, code) as world:
        world.request(files=small(world.desk.now()))
        world.approve(world.card())
        ours = [_monday(world, week) for week in range(1, WEEKS + 1)]
        script = _exported(world, folder / "exported")
        bare = [_bare(world, script) for _ in range(WEEKS)]
    cron_ms, standby_ms = round(statistics.median(bare) * 1000), round(statistics.median(ours) * 1000)
    demand(standby_ms < MOST_MS, f"{standby_ms} ms from the due moment to the delivered report")
    return {"cron_ms": cron_ms, "standby_ms": standby_ms, "ratio": round(standby_ms / cron_ms, 1)}


def _monday(world: World, week: int) -> float:
    world.alice.post("#lab", f"Week {week}", files=small(world.desk.now()))
    world.monday()
    began = time.monotonic()
    while look(world).ended < 2 * week:
        demand(time.monotonic() - began < WITHIN_S, f"week {week} was not delivered within {WITHIN_S:.0f} s")
        time.sleep(0.02)
    return time.monotonic() - began


def _exported(world: World, into: Path) -> Path:
    database = Database(world.settings.database_url)
    into.mkdir()
    with database.transaction() as session:
        name = session.exec(select(Routine.name)).one()
    script = export(database, Blobs(world.settings.blobs), name, into, datetime.now(UTC))
    database.close()
    for file, data in small(world.desk.now()).items():
        (script / "inputs" / file).write_bytes(data)
    return script


def _bare(world: World, script: Path) -> float:
    """What a line of cron would do: run the script, post what it prints, and mail it."""
    settings = world.settings
    shutil.rmtree(script / "outputs", ignore_errors=True)
    began = time.monotonic()
    ran = subprocess.run([sys.executable, "plan.py"], cwd=script, capture_output=True, text=True, check=False)
    demand(ran.returncode == 0, f"the exported script failed: {ran.stderr[-500:]}")
    with httpx.Client(trust_env=False) as client:
        token = {"Authorization": f"Bearer {settings.slack_bot_token.get_secret_value()}"}
        said = {"channel": world.desk.messages("#lab")[0].channel, "text": ran.stdout[:3000]}
        answer = client.post(f"{settings.slack_api_url.rstrip('/')}/chat.postMessage", json=said, headers=token).json()
        demand(bool(answer["ok"]), f"the desk refused: {answer}")
    letter = EmailMessage()
    letter["Subject"], letter["From"], letter["To"] = "Report", settings.mail_from, "lab@example.org"
    letter.set_content(ran.stdout)
    with smtplib.SMTP(settings.smtp_host, settings.smtp_port) as server:
        server.send_message(letter)
    return time.monotonic() - began


BENCH = Bench(measure, PLANT)
