"""A script that runs outside Standby, by `python plan.py`: its folder is its world, and its report is printed."""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

    from .state import State
    from .surprise import Surprise


def begin_alone() -> State:
    """The state from the files beside the script: plan.toml, report.md, inputs/ and, where there is one, slot.json."""
    from .state import begin, state_from  # noqa: PLC0415  # each needs the other

    script = getattr(sys.modules["__main__"], "__file__", None)
    home = Path(script).absolute().parent if script else Path.cwd()
    if not (home / "plan.toml").is_file():
        raise FileNotFoundError(f"{home} holds no plan.toml, so this script does not know its parameters.")
    os.chdir(home)
    sys.excepthook = _told
    Path("outputs").mkdir(exist_ok=True)
    slot = Path("slot.json")
    begin(state_from(_text("plan.toml"), _text("report.md"), slot.read_text() if slot.is_file() else _last_week()))
    atexit.register(_end)
    from .state import current  # noqa: PLC0415

    return current()


def _end() -> None:
    """Prints what Standby would have delivered; nothing of a run that halted or crashed."""
    from .finish import report_document  # noqa: PLC0415
    from .state import current  # noqa: PLC0415

    surprise = current().surprise
    if surprise is None and getattr(sys, "last_value", None) is None:
        document = report_document()
        text = "\n\n".join([document["markdown"].strip(), *map(_table, document["tables"])])
        (Path("outputs") / "report.md").write_text(f"{text}\n", encoding="utf-8")
        print(text)
    elif surprise is not None:
        print(f"Halted before the report: {surprise}{_how_to_go_on(surprise)}", file=sys.stderr)


def _told(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A surprise is told in a sentence at the end, with what it means for the folder; anything else as Python does.

    A library that is missing is no error of the script, so it is a sentence too.
    """
    from .state import current  # noqa: PLC0415

    if (
        isinstance(error, ModuleNotFoundError)
        and error.name
        and importlib.util.find_spec(error.name.split(".")[0]) is None
    ):
        library = error.name if error.name != "backports" else "backports.zstd"  # what reads zstd before 3.14
        print(f"This script needs {library}, which this Python lacks: pip install {library}", file=sys.stderr)
    elif error is not current().surprise:
        sys.__excepthook__(kind, error, trace)


def _how_to_go_on(surprise: Surprise) -> str:
    said = f"\nExpected: {surprise.expected}." if surprise.expected else ""
    if surprise.name not in ("NoInput", "MissingFile"):
        return said
    return f"{said}\nPut the files of one report into {Path('inputs').absolute()} and run plan.py again."


def _table(table: dict[str, Any]) -> str:
    rows = [table["columns"], ["---"] * len(table["columns"]), *table["rows"]]
    cells = (" | ".join("" if one is None else str(one).replace("|", "\\|") for one in row) for row in rows)
    return f"### {table['title']}\n\n" + "\n".join(f"| {row} |" for row in cells)


def _last_week() -> str:
    now = datetime.now(UTC).replace(microsecond=0)
    since = now - timedelta(days=7)
    return json.dumps({"due_at": now.isoformat(), "since": since.isoformat(), "until": now.isoformat(), "zone": "UTC"})


def _text(name: str) -> str:
    return Path(name).read_text(encoding="utf-8")
