"""`standby settings`: every setting on the terminal, as a table where it fits and as a list where it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import indent, wrap

from rich.console import Console
from rich.table import Table

from bot.processes.running import Running
from bot.settings import Settings
from bot.settings_table import SettingLine, table, unknown

# Narrower than this the table would squeeze the words of each setting into a column of a few letters.
TABLE_COLUMNS = 130


def show(environ: Mapping[str, str], console: Console | None = None) -> None:
    """Prints it, to the terminal unless another console is given. Raises SettingsError for an unusable setting."""
    console = console or Console(highlight=False)
    settings = Settings.load(environ)
    lines, in_use = list(table(settings)), _in_use(settings, environ)
    if console.width >= TABLE_COLUMNS:
        console.print(_as_table(lines, in_use))
    else:
        for line in lines:
            # Nothing is wrapped here but the meaning: a name or a value that is cut cannot be copied.
            console.print(_as_text(line, in_use, console.width), markup=False, soft_wrap=True)
    if in_use:
        note = "A running `standby up` uses other values in some places: those marked `running`."
        console.print(note, markup=False, soft_wrap=True)
    for slip in unknown(environ):
        console.print(f"Note: {slip}", markup=False, soft_wrap=True)


def as_markdown() -> str:
    """A table of all settings, with what each is for and its default."""
    rows = [f"| `{line.variable}` | {line.default} | {line.meaning} |" for line in table(Settings.load({}))]
    return "\n".join(["| setting | default | what it is for |", "|---|---|---|", *rows]) + "\n"


def _in_use(settings: Settings, environ: Mapping[str, str]) -> dict[str, str]:
    """What a running `up` decided otherwise than the environment says, by variable."""
    there = Running.read(settings.data_dir)
    if there is None or there.up.process() is None:
        return {}
    running = table(Settings.load({**environ, **there.variables}))
    both = zip(table(settings), running, strict=True)
    return {line.variable: other.now for line, other in both if other.now != line.now}


def _as_table(lines: Sequence[SettingLine], in_use: Mapping[str, str]) -> Table:
    shown = Table(box=None, padding=(0, 2, 0, 0))
    shown.add_column("setting", no_wrap=True, min_width=max(len(line.variable) for line in lines))
    for heading in ("now", "default", "what it is for"):
        shown.add_column(heading, overflow="fold")
    for line in lines:
        running = f"\nrunning: {in_use[line.variable]}" if line.variable in in_use else ""
        shown.add_row(line.variable, line.now + running, line.default, line.meaning)
    return shown


def _as_text(line: SettingLine, in_use: Mapping[str, str], width: int) -> str:
    parts = [f"now      {line.now}", f"default  {line.default}"]
    if line.variable in in_use:
        parts.insert(1, f"running  {in_use[line.variable]}")
    meaning = wrap(line.meaning, max(20, width - 4), break_long_words=False, break_on_hyphens=False)
    return f"{line.variable}\n" + indent("\n".join([*meaning, *parts]), "    ")
