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

from tests.bench import plant
from tests.bench.figure import Figure
from tests.bench.ingest import ingest, truth
from tests.bench.judged import judged
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


def measure(arguments: Sequence[str], planted: str) -> Figure:
    with plant.planted(planted):
        verdicts = list(_folder(Path(arguments[0])) if arguments else _own())
    counts = Counter(one.ending for one in verdicts)
    rows = [[kind, *(of[ending] for ending in (RIGHT, REFUSED, WRONG))] for kind, of in sorted(_by_kind(verdicts))]
    numbers = {"files": len(verdicts), **{ending: counts[ending] for ending in (RIGHT, REFUSED, WRONG)}}
    numbers["classes"] = len(rows)
    notes = [f"WRONG {one.file}: {one.words}" for one in verdicts if one.ending == WRONG]
    is_good = bool(verdicts) and not counts[WRONG]
    return Figure(("pollution", RIGHT, REFUSED, "silently wrong"), rows, numbers, is_good, notes)


def _own() -> Iterator[Verdict]:
    for pollution in CLASSES:
        for seed in range(SEEDS):
            with tempfile.TemporaryDirectory() as folder:
                for way, ending, words in judged(pollution, seed, Path(folder)):
                    yield Verdict(f"{pollution.kind}: {pollution.name} ({way})", ending, words)


def _folder(folder: Path) -> Iterator[Verdict]:
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
