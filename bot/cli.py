"""The command `standby`: each subcommand calls one function, and imports what it needs only when it is called."""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="standby",
    help="A Slack bot for work that comes back: written once, approved by a teammate, run on schedule without a model.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Data = Annotated[
    Path | None,
    typer.Option("--data", help="Folder of this Standby; the same as STANDBY_DATA_DIR.", show_default=False),
]

Workspace = Annotated[
    str, typer.Option("--workspace", help="Id of the workspace (T…), where there are many.", show_default=False)
]


def main() -> None:
    """The entry point: an error that has words for a person is shown as those words alone."""
    from bot.domain.errors import StandbyError  # noqa: PLC0415
    from bot.settings import SettingsError  # noqa: PLC0415

    try:
        app()
    except (StandbyError, SettingsError) as error:
        typer.secho(str(error), err=True)
        sys.exit(1)


@app.command()
def up(
    data: Data = None,
    port: Annotated[
        int | None, typer.Option(help="Port of the page; 0 takes any free one. Without it: 8425 where that is free.")
    ] = None,
) -> None:
    """Run everything on this computer and print where to look. Ctrl-C stops all of it."""
    from bot.processes.up import up as run_all  # noqa: PLC0415

    raise typer.Exit(run_all(_environ(data), lambda line: print(line, flush=True), port))


@app.command()
def doctor(data: Data = None) -> None:
    """Check every part, and say what to do about each problem. Exit code 1 if there is one."""
    from bot.processes.doctor import examine, show  # noqa: PLC0415

    raise typer.Exit(0 if show(examine(_environ(data))) else 1)


@app.command()
def verify(data: Data = None) -> None:
    """Check everything stored again: plans, cards, decisions, runs, history. Exit code 1 if something is wrong."""
    from bot.processes.stored import verify as check  # noqa: PLC0415

    found = check(_environ(data))
    print("\n".join(found) or "Everything stored holds: plans, cards, decisions, runs and the history agree.")
    raise typer.Exit(1 if found else 0)


@app.command()
def audit(workspace: Workspace = "", data: Data = None) -> None:
    """Print the history, one JSON object a line; each carries the hash of the one before."""
    from bot.processes.stored import audit as export_history  # noqa: PLC0415

    for line in export_history(_environ(data), workspace):
        print(line)


@app.command()
def cost(
    routine: Annotated[str, typer.Argument(help="Name of one routine; without it, all of them.")] = "",
    workspace: Workspace = "",
    data: Data = None,
) -> None:
    """What was paid for each routine, beside the least that an agent's loop would have cost over the same runs."""
    from bot.processes.stored import cost as add_up  # noqa: PLC0415

    print(add_up(_environ(data), routine, workspace))


@app.command()
def settings(
    markdown: Annotated[bool, typer.Option("--markdown", help="As a table for documents, without values.")] = False,
    data: Data = None,
) -> None:
    """Print every setting: what it is for, its default, and what it is now. Secrets are only `set` or `not set`."""
    from bot.processes.settings_table import as_markdown, show  # noqa: PLC0415

    if markdown:
        print(as_markdown(), end="")
    else:
        show(_environ(data))


@app.command()
def migrate(data: Data = None) -> None:
    """Bring the database to the schema of this version."""
    from bot.processes.release import release  # noqa: PLC0415

    print(release(_environ(data)))


@app.command()
def export(
    routine: Annotated[str, typer.Argument(help="Name of the routine.")],
    to: Annotated[Path, typer.Option("--to", help="Folder in which the routine's folder is made.")] = Path(),
    workspace: Workspace = "",
    data: Data = None,
) -> None:
    """Write a routine's approved script as a folder that `python plan.py` runs anywhere."""
    from bot.processes.scripts import export_routine  # noqa: PLC0415

    print(export_routine(_environ(data), routine, to, workspace))


@app.command("run")
def run_folder(
    folder: Annotated[Path, typer.Argument(help="A folder as `standby export` makes it.")], data: Data = None
) -> None:
    """Rehearse a script's folder in a box, twice. Exit code 1 unless it comes to the same report both times."""
    from bot.processes.scripts import run_folder as rehearse  # noqa: PLC0415

    words, is_report = rehearse(_environ(data), folder)
    print(words)
    raise typer.Exit(0 if is_report else 1)


@app.command("library")
def library(
    name: Annotated[str, typer.Argument(help="A script; without one, all are listed.")] = "",
    export_to: Annotated[Path | None, typer.Option("--export", help="Copy the script's folder below this one.")] = None,
    own: Annotated[bool, typer.Option("--own", help="The team's own: plans that ran clean, and imports.")] = False,
    import_from: Annotated[
        Path | None, typer.Option("--import", help="Take in a folder as `standby export` makes it, sample in `inputs`.")
    ] = None,
    workspace: Workspace = "",
    data: Data = None,
) -> None:
    """List the proven scripts, show one in full, copy its folder, or take in one of the team's own."""
    from bot.processes import scripts, shelf  # noqa: PLC0415

    if import_from is not None:
        print(scripts.import_script(_environ(data), import_from, workspace))
    elif own:
        print(scripts.own_scripts(_environ(data), name, export_to, workspace))
    elif export_to is not None:
        print(shelf.copied(name, export_to))
    else:
        print(shelf.shown(name) if name else shelf.listed())


@app.command("eval", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def evaluate(context: typer.Context) -> None:
    """Ask twelve tasks with known truth of Standby and of a plain loop: --budget 2.00 --trials 3 --out FILE."""
    checkout = Path(__file__).parents[1]
    if not (checkout / "tests" / "evals").is_dir():
        typer.secho("The tasks come with the source: clone it and run `uv run standby eval` there.", err=True)
        raise typer.Exit(1)
    sys.path.insert(0, str(checkout))
    sys.argv = ["standby eval", *context.args]
    runpy.run_module("tests.evals", run_name="__main__", alter_sys=True)


@app.command("token-key")
def token_key() -> None:
    """Print a new key for STANDBY_TOKEN_KEYS, which encrypts the tokens of many workspaces."""
    from bot.store.vault import new_key  # noqa: PLC0415

    print(new_key())


app.command("release", help="What a deployment runs before the new version starts: `migrate`.")(migrate)


def _environ(data: Path | None) -> dict[str, str]:
    return {**os.environ, **({"STANDBY_DATA_DIR": str(data)} if data else {})}


def _part(name: str, says: str) -> None:
    """One command of the Procfile. Nothing but that part's module is imported: the runner never sees the agent's."""

    @app.command(name, help=says)
    def run() -> None:
        runpy.run_module(f"bot.processes.{name}", run_name="__main__", alter_sys=True)


_part("bot", "Run the part that listens to Slack.")
_part("agent", "Run the part that works on requests; the only one that may have a model key.")
_part("runner", "Run the part that runs approved scripts and delivers reports; refuses a model key.")
_part("clock", "Run the part that knows when something is due.")


@app.command()
def manifest(
    url: Annotated[str, typer.Option(help="Public https address of `standby bot`, for HTTP mode.")] = "",
    install: Annotated[bool, typer.Option("--install", help="For many workspaces; needs --url.")] = False,
) -> None:
    """Print the manifest with which Slack makes the app: for Socket Mode, or with --url for HTTP mode."""
    from bot.slack.manifest import manifest as written  # noqa: PLC0415

    if install and not url:
        typer.secho("An app for many workspaces takes requests at an address: give it with --url.", err=True)
        raise typer.Exit(1)
    print(written(url, for_many=install), end="")


if __name__ == "__main__":
    main()
