"""Runs trial.py, a script that is only tried; what it declares with the kit is in tried.json if it ended well."""

from __future__ import annotations

import json
import linecache
import sys
import time
import traceback
import types
from pathlib import Path
from typing import Any

from kit import render, sql, state

NAME = "trial.py"


def main() -> int:
    source = _text(NAME)
    template = _text("plan/report.md")
    state.begin(state.state_from(_text("plan/plan.toml"), template, _text("slot.json")))
    Path("outputs").mkdir(exist_ok=True)
    began = time.monotonic()
    code = _ended(source)
    if code == 0:
        document = _declared(template) | {"seconds": round(time.monotonic() - began, 3)}
        Path("tried.json").write_text(json.dumps(document, allow_nan=False), encoding="utf-8")
    return code


def _ended(source: str) -> int:
    """0, or what the script ended with; a traceback begins at its own first line."""
    linecache.cache[NAME] = (len(source), None, source.splitlines(keepends=True), NAME)
    module = types.ModuleType("__main__")
    module.__file__ = NAME
    sys.modules["__main__"] = module
    try:
        _bound_duckdb(source)
        exec(compile(source, NAME, "exec", dont_inherit=True), module.__dict__)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException as error:
        own = error.__traceback__.tb_next if error.__traceback__ else None
        traceback.print_exception(type(error), error, own)
        return 1
    return 0 if state.current().surprise is None else 1


def _bound_duckdb(source: str) -> None:
    """It would take 80 % of the machine's memory; importing it is slow, so only where the script does."""
    if "duckdb" in source:
        import duckdb  # noqa: PLC0415

        duckdb.execute("SET memory_limit = '600MB'; SET threads = 2")
        sql.KEPT_BYTES = 0  # the kit keeps no rows where a script has its own


def _declared(template: str) -> dict[str, Any]:
    """As outcome.json has a report. Files stay in the box, which is thrown away."""
    declared = state.current().declared
    markdown = render.render(template, declared.values) if template.strip() and declared.values is not None else ""
    outputs = {name: value for name, value in vars(declared).items() if name not in ("values", "attachments")}
    checks = [{"name": name, "times": times} for name, times in state.current().checks.items()]
    return {"kind": "report", "markdown": markdown, **outputs, "attachments": [], "checks": checks}


def _text(name: str) -> str:
    return Path(name).read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
