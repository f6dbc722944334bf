"""Figure `logscan`: the errors of a large log by the kit, which reads every line by its rules, beside `grep -c`.

The kit must find each error, and count every record and every line as they were written; `grep` counts lines that
hold the word. `logscan LINES` scans another number of lines.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.bench.bench import Bench, demand
from tests.bench.large_files import BOX, LOG_READER, kit_program, timed, write_log
from tests.bench.plants import Plant

LINES = 10_000_000
# Every head that is learned counts as one of an INFO.
PLANT = Plant(
    "sandbox/inside/kit/log_heads.py",
    'level = self._levels[bare(one["level"].decode("ascii"))]',
    'level = "INFO"',
)
_KIT = """
log = kit.read_log(kit.inputs()[0])
errors = sum(1 for record in log.only(["ERROR"]) if record.message.startswith("[scan] message "))
print(errors, log.levels["WARNING"], log.records, log.lines)
"""


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    lines = int(rest[0]) if rest else LINES
    path = folder / "logs" / "big.log"
    path.parent.mkdir()
    counts = write_log(path, lines)
    said, kit = timed(folder, kit_program(code, LOG_READER, path.parent, _KIT), BOX)
    demand([int(one) for one in said.split()] == counts, f"the kit counts {said.strip()} instead of {counts}")
    found, grep = timed(folder, ["grep", "-c", " ERROR ", str(path)])
    demand(int(found) == counts[0], f"grep finds {found.strip()} lines instead of {counts[0]}")
    return {
        "lines": counts[3],
        "kit_s": kit.seconds,
        "grep_s": grep.seconds,
        "cpu_s": {"kit": kit.cpu_s, "grep": grep.cpu_s},
        "rss_mib": {"kit": kit.mib, "grep": grep.mib},
    }


BENCH = Bench(measure, PLANT)
