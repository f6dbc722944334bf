"""Looks at files: `python sampler.py` reads a list of names and writes samples.json, one entry per file of inputs/."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from sampling.csv_look import look_at_table, without_secrets
from sampling.dialect_look import find_dialect
from sampling.hidden import hidden_in, written_out
from sampling.log_look import HEAD_LINES, JSON_LINES, count_keyed, count_text, keyed_grammar, text_grammar
from sampling.records_look import look_at_document, look_at_records, records_of_lines
from sampling.secrets import masked, names_a_secret
from sampling.text_look import TextLook, Unreadable, look_at_text
from sampling.workbook_look import is_parquet, is_workbook, look_at_parquet, look_at_workbook

SHOWN_HEAD, SHOWN_TAIL = 12, 5
SHOWN_CHARACTERS = 300
LOOKED_AT_CHARACTERS = 20_000


def main() -> None:
    names = json.loads(Path("sample-names.json").read_text(encoding="utf-8"))
    samples = [sample_of(Path("inputs") / name) for name in names]
    Path("samples.json").write_text(json.dumps(samples, allow_nan=False), encoding="utf-8")


def sample_of(path: Path) -> dict[str, Any]:
    about: dict[str, Any] = {"name": path.name, "size_bytes": path.stat().st_size, "head": [], "tail": []}
    if not about["size_bytes"]:
        return about | {"kind": "empty"}
    try:
        if is_workbook(path):
            return about | _of_table(look_at_workbook(path))
        if is_parquet(path):
            return about | _of_table(look_at_parquet(path))
        look = look_at_text(path)
        facts: dict[str, Any] = look.facts
        return about | facts | _of_text(look)
    except Unreadable as error:
        return about | {"kind": "unreadable", "problem": str(error)}


def _of_table(found: dict[str, Any]) -> dict[str, Any]:
    return found | _shown(found.pop("shown")[:SHOWN_HEAD]) | {"lines": found["csv"]["rows"]}


def _of_text(look: TextLook) -> dict[str, Any]:
    head = list(islice(look.lines(), HEAD_LINES))
    tail = look.tail[max(0, SHOWN_TAIL - max(0, look.count - SHOWN_HEAD)) :] if look.count > SHOWN_HEAD else []
    shown = _shown(head[:SHOWN_HEAD], tail)
    if not any(line.strip() for line in head):
        return shown | {"kind": "empty"}
    keyed = keyed_grammar(head)
    # A single line may be an object that holds a list of records.
    if look.count == 1 or (keyed is None and head[0].lstrip().startswith(("[", "{"))):
        document = look_at_document(look.lines())
        if document is not None:
            return shown | {"kind": "json", "csv": document[0]} | _records_shown(document[1])
    if keyed is not None:
        found = shown | {"kind": keyed.form, "log": count_keyed(look.lines(), keyed)}
        if keyed.form == JSON_LINES:
            found["csv"] = look_at_records(records_of_lines(look.lines()), "lines")
        return found
    as_log = text_grammar(head)
    if as_log is not None and as_log.level_word:
        return shown | {"kind": "text log", "log": count_text(look.lines(), as_log)}
    table = find_dialect(head)
    if table is not None:
        found = look_at_table(look, table)
        secret = [place for place, column in enumerate(found["columns"]) if names_a_secret(column["name"])]
        if secret:
            shown = _shown(
                [without_secrets(one, table.dialect, secret) for one in head[:SHOWN_HEAD]],
                [without_secrets(one, table.dialect, secret) for one in tail],
            )
        return shown | {"kind": "csv", "csv": found}
    if as_log is not None:
        return shown | {"kind": "text log", "log": count_text(look.lines(), as_log)}
    return shown | {"kind": "text"}


def _records_shown(records: list[Mapping[str, Any]]) -> dict[str, Any]:
    """A document may be one endless line, so its first and last records are shown instead."""
    written = [json.dumps(one, default=str, ensure_ascii=False) for one in (*records[:SHOWN_HEAD], records[-1])]
    return _shown(written[:-1], written[-1:] if len(records) > SHOWN_HEAD else ())


def _shown(head: Sequence[str], tail: Sequence[str] = ()) -> dict[str, Any]:
    """First and last lines, and how many characters in them cannot be seen."""
    hidden = sum(hidden_in(line[:SHOWN_CHARACTERS]) for line in (*head, *tail))
    return {"head": [_shown_line(one) for one in head], "tail": [_shown_line(one) for one in tail], "hidden": hidden}


def _shown_line(line: str) -> str:
    """One line, secrets masked, escaped and cut: text from data carries no control or hidden characters further.

    Masked before it is cut, so that half a key is never shown.
    """
    line = masked(line[:LOOKED_AT_CHARACTERS])
    text = written_out(line[:SHOWN_CHARACTERS])
    return text if len(line) <= SHOWN_CHARACTERS else f"{text}… ({len(line) - SHOWN_CHARACTERS} more characters)"


if __name__ == "__main__":
    main()
