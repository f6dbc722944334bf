"""`standby settings`: the table of all settings on the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from bot.settings import Settings
from bot.settings_table import table, unknown


def show(environ: Mapping[str, str]) -> None:
    """Prints it. Raises SettingsError where a setting cannot be used."""
    console = Console()
    shown = Table("setting", "now", "default", "what it is for", box=None, padding=(0, 2, 0, 0))
    for line in table(Settings.load(environ)):
        shown.add_row(line.variable, line.now, line.default, line.meaning)
    console.print(shown)
    for slip in unknown(environ):
        console.print(f"Note: {slip}", markup=False)
