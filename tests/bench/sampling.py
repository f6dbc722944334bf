"""Figure `sampling`: a look at a file larger than a box's memory, beside `head` and `wc -l` on the same file.

The look must be as small for gigabytes as for a page, the same each time, and in bounded memory. Its time begins when
the file is there. `sampling GB` looks at another size.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

from sandbox.inside_files import LOOK, look_files
from sandbox.sample import RENDERED_LIMIT_BYTES, Sample
from sandbox.sample_json import read_samples
from tests.bench.bench import Bench, demand
from tests.bench.large_files import Cost, timed, write_log
from tests.bench.plants import CHECKOUT, Plant

GB = 5.0
LINE_BYTES = 59.5  # of the log, about
MOST_MIB = 256
MOST_S = 60  # of a processor; a box gives a look two minutes
# Every line is kept, though only the last ones are shown.
PLANT = Plant(
    "sandbox/inside/sampling/text_look.py",
    "last: deque[str] = deque(maxlen=TAIL)",
    "last, kept = deque[str](maxlen=TAIL), list[str]()",
    also=Plant(
        "sandbox/inside/sampling/text_look.py",
        "last.extend(line.rstrip(",
        "kept.append(block), last.extend(line.rstrip(",
    ),
)


def measure(folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    gb = float(rest[0]) if rest else GB
    box = folder / "box"
    (box / "inputs").mkdir(parents=True)
    _lay(box, code or CHECKOUT)
    path = box / "inputs" / "big.log"
    write_log(path, int(gb * 1e9 / LINE_BYTES))
    first, cost = _look(folder, box)
    again, _ = _look(folder, box)
    demand(first == again, "the same file was shown in two ways")
    size = len(first.text().encode())
    demand(size <= RENDERED_LIMIT_BYTES, f"the sample has {size:,} bytes")
    demand(first.facts.log is not None and bool(first.facts.log.levels), "the log was not known as one")
    demand(cost.mib < MOST_MIB, f"the look took {cost.mib:,} MiB")
    demand(cost.cpu_s < MOST_S, f"the look took {cost.cpu_s:.0f} s of a processor")
    _, plain = timed(folder, ["sh", "-c", f"head -n 12 {shlex.quote(str(path))}; wc -l {shlex.quote(str(path))}"])
    return {
        "gb": round(path.stat().st_size / 1e9, 2),
        "seconds": cost.seconds,
        "cpu_seconds": cost.cpu_s,
        "rss_mib": cost.mib,
        "head_wc_seconds": plain.seconds,
        "sample_bytes": size,
    }


def _lay(box: Path, code: Path) -> None:
    """What looks at files, as it lies in a box; from the copy where there is one."""
    for name in look_files():
        inside = code / "sandbox" / "inside" / name.removeprefix(f"{LOOK}/")
        source = inside if inside.is_file() else code / "library" / Path(name).name
        (box / name).parent.mkdir(parents=True, exist_ok=True)
        (box / name).write_bytes(source.read_bytes())
    (box / "sample-names.json").write_text(json.dumps(["big.log"]))


def _look(folder: Path, box: Path) -> tuple[Sample, Cost]:
    program = f"cd {shlex.quote(str(box))} && exec {shlex.quote(sys.executable)} {LOOK}/sampler.py"
    _, cost = timed(folder, ["sh", "-c", program])
    (found,) = read_samples((box / "samples.json").read_bytes())
    return Sample(*found), cost


BENCH = Bench(measure, PLANT)
