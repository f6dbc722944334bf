"""Samples of files: made inside a box, read here strictly, shown in at most six kilobytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from library.facts import FileFacts
from sandbox.errors import BoxFileMissing, BoxFileTooLarge
from sandbox.inside.sampling.hidden import written_out
from sandbox.inside.sampling.secrets import masked
from sandbox.inside_files import LOOK
from sandbox.sample_json import SampleUnreadable, read_samples

if TYPE_CHECKING:
    from sandbox.client import Box

SAMPLES_LIMIT_BYTES = 8_000_000
RENDERED_LIMIT_BYTES = 6 * 1024
START_S, LOOK_S = 100, 20  # of one file, on a busy machine


class SampleFailed(Exception):
    """The look at the files gave no answer, so no plan can be made from them yet. Try again, or attach fewer files."""


@dataclass(frozen=True)
class Sample:
    """The bounded part of a file that may be seen, and the facts found over the whole of it."""

    facts: FileFacts
    head: tuple[str, ...] = ()  # first lines, escaped and cut
    tail: tuple[str, ...] = ()

    def text(self) -> str:
        """At most RENDERED_LIMIT_BYTES, always the same for the same file: facts first, then as many lines as fit."""
        # Names of columns, levels and sheets are as the file has them, since readers need them so.
        lines = [*(written_out(masked(line)) for line in _fact_lines(self.facts)), "first lines:", *self.head]
        if self.tail:
            lines += ["last lines:", *self.tail]
        return _fitted(lines)


def sample_files(box: Box, names: Sequence[str], *, timeout_s: float | None = None) -> list[Sample]:
    """One Sample per name, in this order; the box must be staged (sandbox.execute). Raises SampleFailed, BoxError.

    A look is bounded for each file (text_look.LOOK_CHARACTERS), so it may take as long for each, unless told otherwise.
    """
    box.put_all({"sample-names.json": json.dumps(list(names)).encode(), "samples.json": b""})
    ended = box.run(["python", f"{LOOK}/sampler.py"], timeout_s=timeout_s or START_S + LOOK_S * len(names))
    if ended.code != 0:
        raise SampleFailed(f"The look at the files ended with code {ended.code}: {ended.stderr.strip()[-500:]}")
    try:
        found = read_samples(box.get("samples.json", SAMPLES_LIMIT_BYTES))
    except (BoxFileMissing, BoxFileTooLarge, SampleUnreadable) as error:
        raise SampleFailed(f"The look at the files left no answer that can be read: {error}") from error
    if [facts.name for facts, _, _ in found] != list(names):
        raise SampleFailed("The look at the files answered about other files than it was asked about.")
    return [Sample(facts, head, tail) for facts, head, tail in found]


def _fact_lines(facts: FileFacts) -> list[str]:
    said = [f"{facts.name}: {facts.kind}, {facts.size_bytes:,} bytes, {_lines(facts)}"]
    if facts.problem:
        said.append(f"not readable: {facts.problem}")
    said.append(f"encoding {facts.encoding}{'' if facts.encoding_is_certain else ' (a guess)'}, {_packing(facts)}")
    if facts.hidden:
        said.append(f"{facts.hidden:,} characters below cannot be seen and are written as codes, such as \\u202e")
    if facts.first_at:
        said.append(f"time stamps from {facts.first_at} to {facts.last_at or '?'}")
    if facts.log is not None:
        log = facts.log
        place = f'key "{log.level_key}"' if log.level_key else f"word {log.level_word} after stamp {log.stamp}"
        said.append(f"level at {place}: {_counts(log.levels)}" if log.has_level else "no level found")
        said.append(f"{log.records:,} records, {log.continuation_lines:,} lines that continue one")
        said.append(f"{log.unexplained_lines:,} lines of no known form")
    if facts.csv is not None:
        table = facts.csv
        said.append(f"{table.rows:,} rows, {_form(facts)}")
        said += [f"odd: {one}" for one in table.oddities[:4]]
        said.append("columns: " + ", ".join(f"{column.name} ({column.kind})" for column in table.columns))
    return [line[:1_000] for line in said]


def _lines(facts: FileFacts) -> str:
    return f"{facts.lines:,} lines" if facts.is_whole else f"more than {facts.lines:,} lines, of which these facts are"


def _form(facts: FileFacts) -> str:
    """Of a table's text; of a workbook, the sheet that was looked at."""
    table = facts.csv
    assert table is not None
    if facts.sheet or not table.delimiter:
        return f"sheet {facts.sheet}" if facts.sheet else "typed columns"
    return f"delimiter {table.delimiter!r}, decimal mark {table.decimal!r}"


def _packing(facts: FileFacts) -> str:
    return "not packed" if facts.compression == "none" else f"packed with {facts.compression}"


def _counts(levels: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in list(levels.items())[:12])


def _fitted(lines: list[str]) -> str:
    """Whole lines only; what did not fit is said."""
    room = RENDERED_LIMIT_BYTES - 60
    kept: list[str] = []
    for number, line in enumerate(lines):
        room -= len(line.encode("utf-8")) + 1
        if room < 0:
            kept.append(f"({len(lines) - number} more lines do not fit)")
            break
        kept.append(line)
    return "\n".join(kept) + "\n"
