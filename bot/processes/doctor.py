"""`standby doctor`: one line per part, with what to do about each problem."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping

from rich.console import Console
from rich.text import Text

from bot.processes import checks, checks_model, checks_queue, checks_slack, checks_sources
from bot.processes.checks import Finding
from bot.processes.checks_installed import of_each
from bot.processes.running import Running
from bot.settings import Settings, SettingsError
from bot.settings_table import unknown

Check = Callable[[Settings], Finding]
PATIENCE_S = 30.0  # a box on a busy laptop takes 2 s, a hosted one from far away 5 s

# Shown in the order in which one thing needs another.
CHECKS: tuple[Check, ...] = (
    checks.disk,
    of_each(checks.database, itself=True),
    of_each(checks.history),
    of_each(checks_queue.queue),
    checks.clock,
    checks.boxes,
    of_each(checks_slack.slack, has_token=True),
    checks_slack.way_in,
    of_each(checks_slack.approvers, has_token=True),
    checks.mail,
    of_each(checks_sources.sources),
)

# Without a database server of its own, Standby is what `up` runs, or nothing.
_NOT_RUNNING = Finding(
    "standby",
    False,
    "Standby is not running: nobody is answered, and no routine starts. What `up` brings itself (boxes, desk, mail) "
    "is not there to be checked; the lines below are about the settings alone",
    "Start it: `uv run standby up`, then look again.",
)


def examine(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Looks at every part. Where an `up` runs on the folder, at what it uses."""
    try:
        settings = Settings.load(environ)
        there = Running.read(settings.data_dir)
        is_up = there is not None and there.up.process() is not None
        if there is not None and is_up:
            settings = Settings.load({**environ, **there.variables})
    except SettingsError as error:
        yield Finding("settings", False, "cannot be used", str(error))
        return
    if not is_up and not settings.database_url:
        yield _NOT_RUNNING
    slips = list(unknown(environ))
    yield Finding("settings", not slips, " ".join(slips) or "readable", "Correct the name." if slips else "")
    for look in [_Look(check, settings) for check in (*CHECKS, checks_model.of(environ))]:
        yield look.finding()
    if there is not None and is_up:
        yield _parts(there)


class _Look:
    """One check at work. All look at the same time, and a part that hangs does not hang the doctor."""

    def __init__(self, check: Check, settings: Settings) -> None:
        self._part = check.__name__.replace("_", " ")
        self._findings: list[Finding] = []
        self._until = time.monotonic() + PATIENCE_S
        self._thread = threading.Thread(target=lambda: self._findings.append(check(settings)), daemon=True)
        self._thread.start()

    def finding(self) -> Finding:
        """What the check found, or that it came to no end."""
        self._thread.join(max(0.0, self._until - time.monotonic()))
        if self._findings:
            return self._findings[0]
        if self._thread.is_alive():
            todo = "It hangs: restart it, and see its log in the data folder."
            return Finding(self._part, False, f"no answer within {PATIENCE_S:.0f} s", todo)
        return Finding(self._part, False, "the check itself failed", "The lines above say where; please report them.")


def show(findings: Iterator[Finding]) -> bool:
    """Prints findings as they come; returns whether all is well."""
    console = Console(highlight=False)
    problems = 0
    for finding in findings:
        problems += not finding.ok
        mark = Text("ok      ", "green") if finding.ok else Text("problem ", "bold red")
        console.print(mark + Text(f"{finding.part:<12}") + Text(finding.says), soft_wrap=True)
        if finding.todo:
            console.print(Text(f"{'':<20}→ {finding.todo}"), soft_wrap=True)
    return problems == 0


def _parts(there: Running) -> Finding:
    """The processes of a running `up`."""
    dead = [mark.name for mark in there.parts if mark.process() is None]
    if dead:
        return Finding("processes", False, f"not running: {', '.join(dead)}", "See their logs in the data folder.")
    return Finding("processes", True, ", ".join(mark.name for mark in there.parts))
