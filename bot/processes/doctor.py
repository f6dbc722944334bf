"""`standby doctor`: one line per part, with what to do about each problem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.text import Text

from bot.processes import checks, checks_slack
from bot.processes.checks import Finding
from bot.processes.running import Running
from bot.settings import Settings, SettingsError
from bot.settings_table import unknown

# In the order in which one thing needs another.
CHECKS = (
    checks.disk,
    checks.database,
    checks.clock,
    checks.boxes,
    checks_slack.slack,
    checks_slack.socket_mode,
    checks_slack.approvers,
    checks.mail,
)


def examine(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Looks at every part, one after the other. Where an `up` runs on the folder, at what it uses."""
    try:
        settings = Settings.load(environ)
        there = Running.read(settings.data_dir)
        is_up = there is not None and there.up.process() is not None
        if there is not None and is_up:
            settings = Settings.load({**environ, **there.variables})
    except SettingsError as error:
        yield Finding("settings", False, "cannot be used", str(error))
        return
    slips = list(unknown(environ))
    yield Finding("settings", not slips, " ".join(slips) or "readable", "Correct the name." if slips else "")
    for check in CHECKS:
        yield check(settings)
    if there is not None and is_up:
        yield _parts(there)


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
