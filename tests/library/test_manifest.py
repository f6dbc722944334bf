"""plan.toml: what is written is read back equal, and what is wrong is refused by the name of its key."""

import tomllib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.manifest import (
    ChannelDestination,
    ChannelSource,
    DeclaredCheck,
    DeclaredIntermediate,
    EmailDestination,
    FilesSource,
    LikeliestSurprise,
    Limits,
    Manifest,
    ManifestError,
    OneSlot,
    QuerySource,
    Rung,
)
from library.manifest_schedule import OnHoliday, Overlap, Schedule, SlotTerms
from library.manifest_text import read_manifest, write_manifest
from library.toml_text import toml_text

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)
addresses = st.sampled_from(["lab@example.org", "a.b+c@mail-1.example", "o'neil@localhost"])
plain = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.integers() | st.booleans()
values = st.recursive(
    plain | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
slot_terms = st.builds(
    SlotTerms, st.sampled_from(Overlap), st.integers(1, 100), st.integers(5, 5000), st.just("10:00"),
    st.integers(1, 500), st.just("NO"), st.sampled_from(OnHoliday),
)  # fmt: skip
schedules = st.sampled_from(
    [Schedule("0 7 * * mon", "Europe/Oslo"), Schedule("*/5 0 1,15 jan,apr-jun tue-fri", "UTC")]
) | st.builds(
    Schedule,
    st.just(""),
    st.just("UTC"),
    st.just("every 2 weeks on mon,thu at 07:00"),
    st.just("2026-12-07"),
    slot_terms,
)
places = st.sampled_from(
    [
        "s3://lab-archive/{since:%G-W%V}/*.log",
        "https://h.org/a.csv?x=1",
        "/srv/lab/{slot}/*.csv",
        "sftp://h.org:22/b/?.log",
    ]
)
sources = (
    st.builds(ChannelSource, words)
    | st.builds(FilesSource, st.lists(places, min_size=1, unique=True).map(tuple))
    | st.builds(
        FilesSource, st.just(("/srv/*.csv",)), st.just(True), st.sampled_from(["", "2026-09-07T05:00:00+00:00"])
    )
    | st.builds(QuerySource, st.just("books"), st.just("select *\nfrom x where at > {since}"), st.just("rows.parquet"))
)
manifests = st.builds(
    Manifest,
    name=st.from_regex(r"[a-z0-9]{1,5}(-[a-z0-9]{1,5}){0,2}", fullmatch=True),
    title=words,
    rung=st.sampled_from(Rung),
    why=words,
    script=st.sampled_from(["", "log-error-summary"]),
    schedule=st.none() | schedules,
    source=sources,
    destinations=st.lists(
        st.builds(ChannelDestination, words)
        | st.builds(EmailDestination, words, st.lists(addresses, min_size=1, max_size=2).map(tuple)),
        max_size=3,
    ).map(tuple),
    checks=st.lists(st.builds(DeclaredCheck, st.just("OddFile"), words), max_size=2).map(tuple),
    intermediates=st.lists(st.builds(DeclaredIntermediate, words, words), max_size=2).map(tuple),
    surprise=st.builds(LikeliestSurprise, st.just("OddFile"), st.just("log-to-json"), words),
    limits=st.builds(Limits, st.integers(1, 3600), st.integers(128, 16_384)),
    parameters=st.dictionaries(words, values, max_size=4),
    only=st.none()
    | st.builds(
        OneSlot, st.datetimes(timezones=st.just(UTC)).map(datetime.isoformat), st.lists(words, min_size=1).map(tuple)
    ),
)


@given(manifests)
def test_a_written_manifest_is_read_back_equal(manifest):
    assert read_manifest(write_manifest(manifest)) == manifest


@given(st.dictionaries(words, values, max_size=4))
def test_any_parameters_are_written_as_toml_that_python_reads_back(table):
    assert tomllib.loads(toml_text(table)) == table


GOOD = """
name = "weekly-error-report"
title = "Weekly error report"
rung = "existing script"
why = "a proven script fits"
script = "log-error-summary"
checks = [{ name = "OddFile", says = "every file has a level I know" }]

[schedule]
cron = "0 7 * * mon"
zone = "Europe/Oslo"

[source]
kind = "channel"
channel = "C1"

[[destinations]]
kind = "email"
name = "lab list"
addresses = ["lab@example.org"]

[surprise]
name = "OddFile"
drift = "log-to-json"
why = "firmware updates change formats"

[limits]
time_s = 300
memory_mb = 1024
"""


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('title = "Weekly error report"', "", "title is missing"),
        ('title = "Weekly error report"', 'title = "x"\ntitel = "y"', "titel is not a key"),
        ('"existing script"', '"by magic"', "rung"),
        ("0 7 * * mon", "0 7 * * 1", "weekdays by name"),
        ("0 7 * * mon", "7 on mondays", "schedule.cron"),
        ("0 7 * * mon", "0 7 1 janfeb *", "months as numbers or names"),
        ("Europe/Oslo", "Europe/Olso", "schedule.zone"),
        ('cron = "0 7 * * mon"', 'rule = "last blue moon"', "schedule.rule"),
        ('cron = "0 7 * * mon"', 'rule = "every 2 weeks on mon at 07:00"', "schedule.anchor is missing"),
        ('cron = "0 7 * * mon"', 'cron = "0 7 * * mon"\nrule = "last fri of the month at 07:00"', "cron is not a key"),
        ('zone = "Europe/Oslo"', 'zone = "Europe/Oslo"\nanchor = "2026-12-07"', "anchor is not a key"),
        ('zone = "Europe/Oslo"', 'zone = "Europe/Oslo"\noverlap = "buffer"', "schedule.overlap"),
        ('zone = "Europe/Oslo"', 'zone = "Europe/Oslo"\nwait_until = "25:00"', "schedule.wait_until"),
        ('zone = "Europe/Oslo"', 'zone = "Europe/Oslo"\nwait_files = 3', "wait_files is not a key"),
        ('zone = "Europe/Oslo"', 'zone = "Europe/Oslo"\nholidays = "Norway"', "schedule.holidays"),
        ('zone = "Europe/Oslo"', 'zone = "Europe/Oslo"\nlate_min = 0', "schedule.late_min"),
        ('kind = "channel"', 'kind = "ftp"', "source.kind"),
        ('kind = "email"', 'kind = "fax"', "destinations[1].kind"),
        ('["lab@example.org"]', "[]", "destinations[1].addresses"),
        ("time_s = 300", "time_s = true", "limits.time_s"),
        ("time_s = 300", "time_s = 0", "limits.time_s"),
        ('{ name = "OddFile", says', '{ name = "odd file", says', "checks[1].name"),
        ("memory_mb = 1024", "memory_mb = 1024\n[parameters]\nday = 2026-01-01", "parameters.day"),
        ("[schedule]", "[schedule", "not valid TOML"),
    ],
)
def test_a_mistake_is_refused_by_the_name_of_its_key(old: str, new: str, named: str):
    with pytest.raises(ManifestError, match=named.replace("[", r"\[")):
        read_manifest(GOOD.replace(old, new, 1))


def test_what_is_as_usual_is_left_out_so_that_older_plans_keep_their_bytes():
    assert '[schedule]\ncron = "0 7 * * mon"\nzone = "Europe/Oslo"\n\n' in write_manifest(read_manifest(GOOD))


def test_the_manifest_of_the_brief_is_read():
    manifest = read_manifest(GOOD)

    assert manifest.schedule == Schedule("0 7 * * mon", "Europe/Oslo")
    assert manifest.destinations == (EmailDestination("lab list", ("lab@example.org",)),)
