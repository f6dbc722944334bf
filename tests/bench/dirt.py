"""Figure `dirt`: polluted files read right, refused by name, or silently wrong, which must be none.

`dirt` alone makes its own: every class of pollution (pollution.py, workbooks.py) over seeded clean files, each read
twice, with a plan agreed on the clean twin and, where bytes alone can tell, with no plan at all.

`dirt FOLDER` takes a folder with truth: FOLDER/csv/NAME (or polluted/NAME) is a polluted file, FOLDER/clean/NAME (or
truth/NAME) the same table clean: commas, double quotes, UTF-8, header first. Each is sampled, filled and read with
nobody to ask.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests import inside
from tests.bench.bench import Bench, demand
from tests.bench.ingest import ingest, truth
from tests.bench.judged import judged
from tests.bench.plants import Plant
from tests.bench.pollution import TEXT_CLASSES
from tests.bench.workbooks import EXCEL_CLASSES

CLASSES = (*TEXT_CLASSES, *EXCEL_CLASSES)
SEEDS = 3
RIGHT, REFUSED, WRONG = "right", "refused", "silently_wrong"


@dataclass(frozen=True)
class Verdict:
    file: str
    ending: str
    words: str = ""


PLANT = Plant(
    "sandbox/inside/kit/text_lines.py",
    "                if final_newline and not line.endswith(end):\n",
    "                if not final_newline and not line.endswith(end):\n",
)


def measure(_folder: Path, code: Path | None, rest: list[str]) -> dict[str, Any]:
    if code is not None:
        inside.load_from(code)
    verdicts = list(_folder_with_truth(Path(rest[0])) if rest else _own())
    kinds = _by_kind(verdicts)
    _show(kinds)
    counts = Counter(one.ending for one in verdicts)
    for one in verdicts:
        if one.ending == WRONG:
            print(f"WRONG {one.file}: {one.words}")
    demand(bool(verdicts), "there was no file to read")
    demand(not counts[WRONG], f"{counts[WRONG]} of {len(verdicts)} files were read wrong without a word")
    return {"files": len(verdicts), **{one: counts[one] for one in (RIGHT, REFUSED, WRONG)}, "classes": len(kinds)}


def _show(kinds: Sequence[tuple[str, Counter[str]]]) -> None:
    table = Table("pollution", *(one.replace("_", " ") for one in (RIGHT, REFUSED, WRONG)))
    for kind, counts in sorted(kinds):
        table.add_row(kind, *(str(counts[one]) for one in (RIGHT, REFUSED, WRONG)))
    Console().print(table)


def _own() -> Iterator[Verdict]:
    for pollution in CLASSES:
        for seed in range(SEEDS):
            with tempfile.TemporaryDirectory() as folder:
                for way, ending, words in judged(pollution, seed, Path(folder)):
                    yield Verdict(f"{pollution.kind}: {pollution.name} ({way})", ending, words)


def _folder_with_truth(folder: Path) -> Iterator[Verdict]:
    polluted = next((folder / name for name in ("csv", "polluted") if (folder / name).is_dir()), None)
    clean = next((folder / name for name in ("clean", "truth") if (folder / name).is_dir()), None)
    if polluted is None or clean is None:
        raise SystemExit(f"{folder} needs csv/ (or polluted/) and clean/ (or truth/) with files of equal names.")
    for path in sorted(polluted.iterdir()):
        if (clean / path.name).is_file():
            yield _judged(path, clean / path.name)


def _judged(path: Path, clean: Path) -> Verdict:
    seen = ingest(path)
    if seen.rows is None:
        return Verdict(path.name, REFUSED, seen.refusal)
    expected = truth(clean)
    if seen.rows == expected:
        return Verdict(path.name, RIGHT)
    pairs = zip(seen.rows, expected, strict=False)
    first = next((f"{one} instead of {two}" for one, two in pairs if one != two), "")
    return Verdict(path.name, WRONG, first or f"{len(seen.rows)} rows instead of {len(expected)}")


def _by_kind(verdicts: Sequence[Verdict]) -> list[tuple[str, Counter[str]]]:
    """Names that differ in numbers only are of one kind."""
    kinds: dict[str, Counter[str]] = {}
    for one in verdicts:
        name = "".join("#" if letter.isdigit() else letter for letter in one.file.removesuffix(".csv"))
        while "##" in name:
            name = name.replace("##", "#")
        kinds.setdefault(name, Counter())[one.ending] += 1
    return list(kinds.items())


BENCH = Bench(measure, PLANT)
