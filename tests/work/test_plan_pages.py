"""The table of what files look like, and that all of a plan is on its pages."""

import json

from bot.work.plan_pages import FOR_MACHINES, FOR_PEOPLE
from bot.work.shape_words import shape_words
from library.plan_folder import FILES

LOG = {
    "name": "hplc-02.log", "kind": "text log", "compression": "none", "encoding": "utf-8", "delimiter": "",
    "level_place": "word 1 after stamp iso", "continues": 0.0, "levels": ["ERROR", "INFO"], "decimal": "",
    "columns": [],
}  # fmt: skip
TABLE = {**LOG, "kind": "csv", "compression": "gzip", "delimiter": ";", "decimal": ",", "level_place": "", "levels": [],
         "columns": [["site", "text"], ["amount", "number"]]}  # fmt: skip


def test_each_kind_of_file_is_one_line_of_the_table() -> None:
    words = shape_words(json.dumps({"version": 1, "files": {"hplc-#.log": LOG, "costs.csv": TABLE}}).encode())
    head, log, table = words.splitlines()
    assert head.split() == ["file", "kind", "how", "it", "is", "written", "what", "is", "in", "it"]
    assert "level at word 1 after stamp iso: ERROR, INFO" in log
    assert "packed with gzip, cells apart by ';', decimal mark ','" in table
    assert table.endswith("site (text), amount (number)")


def test_a_shape_that_cannot_be_read_has_no_table() -> None:
    assert shape_words(b"[]") == ""


def test_every_file_of_a_plan_is_on_its_pages() -> None:
    assert {*FOR_PEOPLE, *FOR_MACHINES} == set(FILES)
