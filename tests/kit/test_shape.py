"""The shape guard: what may vary from week to week is free, everything else is said in plain words."""

from dataclasses import replace

import pytest

from sandbox.drifts import DRIFTS
from sandbox.shape import ShapeUnreadable, compare, shape_of, strangers
from tests.library.weeks import a_week_of_logs, subsidiaries


@pytest.fixture
def look(new_bench):
    """Facts of files, as a box finds them."""
    bench = new_bench()
    return bench.look


def test_fifty_healthy_weeks_show_no_difference(look):
    weeks = {f"w{seed}": a_week_of_logs(seed, instruments=2, lines=30 + 7 * (seed % 9)) for seed in range(50)}
    facts = {one.name: one for one in look({f"{w}~{n}": d for w, files in weeks.items() for n, d in files.items()})}
    named = [[facts_named(facts[f"{week}~{name}"], name) for name in files] for week, files in weeks.items()]
    agreed = shape_of(named[0])

    assert [compare(agreed, week) for week in named] == [()] * 50


@pytest.mark.parametrize(
    ("drift", "words"),
    [
        ("log-to-json", "has another kind: it was text log and is json lines"),
        ("level-lower-case", "has levels that were not there: debug"),
        ("level-renamed", "has levels that were not there: "),
        ("file-gzipped", "has another packing: it was none and is gzip"),
        ("file-empty", "has another kind: it was text log and is empty"),
    ],
)
def test_a_drifted_log_is_told_in_plain_words(look, drift, words):
    week = a_week_of_logs()
    agreed = shape_of(look(week))
    name, data = DRIFTS[drift].apply("spectro-03.log", week["spectro-03.log"], seed=1)

    found = compare(agreed, look({**week, name: data}))

    assert [one.file for one in found] == ["spectro-03.log"]
    assert found[0].words.startswith(words)


def test_a_drifted_table_is_told_in_plain_words(look):
    tables = subsidiaries()
    agreed = shape_of(look(tables))

    def words(drift):
        name, data = DRIFTS[drift].apply("subsidiary-02.csv", tables["subsidiary-02.csv"], seed=1)
        return [one.words for one in compare(agreed, look({**tables, name: data}))]

    assert "lacks the columns" in words("column-renamed")[0]
    assert words("delimiter-changed") == ["has another delimiter: it was a comma and is a semicolon"]
    assert "has another decimal mark: it was a point and is a comma" in words("decimal-comma")


def test_a_missing_file_and_a_stranger_are_differences_and_one_more_of_the_kind_is_not(look):
    week = a_week_of_logs()
    agreed = shape_of(look(week))
    week["spectro-99.log"] = week.pop("spectro-02.log")
    week["notes.csv"] = b"a,b\n1,2\n"

    found = {one.file: one.words for one in compare(agreed, look(week))}

    assert found == {"spectro-02.log": "is missing", "notes.csv": "is new and like none of the agreed files"}


def codes(*digits: str, name: str = "Bjørn") -> bytes:
    return "".join(["code,name\n", *(f"{one},{name}\n" for one in digits)]).encode("cp1252")


def test_letters_and_zeros_that_a_quiet_week_has_not_are_no_difference(look):
    agreed = shape_of(look({"a.csv": codes("00017", "20481")}))

    assert compare(agreed, look({"a.csv": codes("31007", "20481", name="Eva")})) == ()
    (lost,) = compare(agreed, look({"a.csv": codes("17", "20481")}))
    assert lost.words == "has another kind of column code: it was code of 5 digits and is number"
    (other,) = compare(agreed, look({"a.csv": codes("00017").decode("cp1252").encode()}))
    assert other.words == "has another encoding: it was cp1252 and is utf-8"


def test_a_delimiter_is_told_by_its_name(look):
    agreed = shape_of(look({"a.csv": codes("00017").replace(b"\xf8", b"o")}))

    (found,) = compare(agreed, look({"a.csv": codes("00017").replace(b"\xf8", b"o").replace(b",", b"\t")}))

    assert found.words == "has another delimiter: it was a comma and is a tab"


def test_a_new_file_is_a_stranger_where_it_is_clearly_something_else(look):
    tables = subsidiaries()
    agreed = shape_of(look(tables))
    new = {
        "orders.csv": b"<!DOCTYPE html><html><body>Log in</body></html>\n",
        "stock.csv": b"sku,place\nA1,7\nB2,9\n",
        "subsidiary-99.csv": tables["subsidiary-02.csv"].replace(b",", b";"),  # one of them, written otherwise
        "empty.csv": b"",
    }

    assert strangers(agreed, look(tables | new), new) == ("orders.csv", "stock.csv")
    assert strangers(agreed, look(tables | new), ()) == ()
    del tables["subsidiary-02.csv"]
    assert strangers(agreed, look(tables | new), new) == (), "it may be what is missing"


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b'{"version": 9, "files": {}}', b'{"version": 1, "files": {"a": {}}}']
)
def test_a_shape_of_another_making_is_refused(data):
    with pytest.raises(ShapeUnreadable):
        compare(data, [])


def facts_named(facts, name):
    return replace(facts, name=name)
