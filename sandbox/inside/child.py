"""The process in which a script runs: takes verified bytes from its standard input, gives one document to a pipe."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import linecache
import os
import resource
import sys
import traceback
import types
from pathlib import Path
from typing import Any

MEGABYTE = 1024 * 1024
# A script's own files; what is larger belongs into no report.
FILE_LIMIT_BYTES = 1024 * MEGABYTE


def main() -> None:
    given = json.loads(sys.stdin.buffer.read())
    limit(int(given["memory_mb"]))
    load_kit()
    document = run_letter(given)
    with os.fdopen(int(sys.argv[1]), "wb") as answer:
        answer.write(json.dumps(document, allow_nan=False).encode())


def limit(memory_mb: int) -> None:
    """RLIMIT_DATA and not RLIMIT_AS: polars reserves far more address space than it ever uses."""
    limits = (
        (resource.RLIMIT_DATA, memory_mb * MEGABYTE),
        (resource.RLIMIT_FSIZE, FILE_LIMIT_BYTES),
    )
    for kind, value in limits:
        # A box may already set a lower one; raising it is neither allowed nor wanted.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (value, value))


def load_kit() -> None:
    """The kit under its own name without its folder's neighbours on the import path."""
    folder = Path("kit").absolute()
    spec = importlib.util.spec_from_file_location(
        "kit", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kit"] = module
    spec.loader.exec_module(module)


def run_letter(given: dict[str, Any]) -> dict[str, Any]:
    state = importlib.import_module("kit.state")
    finish = importlib.import_module("kit.finish")
    try:
        state.begin(state.state_from(given["plan_toml"], given["report_md"], given["slot_json"]))
        _bound_libraries(given)
        _execute(given["source"])
        document: dict[str, Any] = finish.report_document()
    except BaseException as error:
        if state.current().surprise is None:
            return _crash(error)
    if state.current().surprise is not None:
        document = finish.surprise_document(state.current().surprise)
    return document


def _bound_libraries(given: dict[str, Any]) -> None:
    """duckdb takes 80 % of the machine's memory unless told; only where the script uses it, as importing is slow."""
    if "duckdb" in given["source"]:
        duckdb = importlib.import_module("duckdb")
        duckdb.execute(f"SET memory_limit = '{int(given['memory_mb']) * 6 // 10}MB'; SET threads = 2")
        sql: Any = importlib.import_module("kit.sql")
        sql.KEPT_BYTES = 0  # the kit keeps no rows where a script has its own


def _execute(source: str) -> None:
    """Compiles the text itself, so that no encoding cookie has a say, and keeps it for the traceback."""
    code = compile(source, "plan.py", "exec", dont_inherit=True)
    linecache.cache["plan.py"] = (len(source), None, source.splitlines(keepends=True), "plan.py")
    module = types.ModuleType("__main__")
    module.__file__ = "plan.py"
    sys.modules["__main__"] = module
    exec(code, module.__dict__)


def _crash(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == "plan.py"]
    line = own[-1].lineno if own else _syntax_line(error)
    shown = [frame for frame in frames if frame.filename != __file__]
    text = "".join([*traceback.format_list(shown[-8:]), *traceback.format_exception_only(error)])
    return {
        "kind": "crash",
        "error": type(error).__name__,
        "message": _words(error)[:4_000],
        "traceback": text[-20_000:],
        "line": line or 0,
    }


def _syntax_line(error: BaseException) -> int | None:
    return error.lineno if isinstance(error, SyntaxError) and error.filename == "plan.py" else 0


def _words(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"The script ended itself with exit({error.code!r}); a run ends at the last line of its script."
    if isinstance(error, MemoryError):
        return "The script needed more memory than its limit allows."
    return str(error)


if __name__ == "__main__":
    main()
