"""Drifts: the same for the same seed, really a change, and refused where nothing can change."""

import gzip
import json
import random

import pytest

from sandbox.drifts import DRIFTS, DoesNotFit
from sandbox.drifts.apply import first_part
from tests.library.weeks import a_log, a_table

HEALTHY = {
    "text log": a_log(random.Random(1), 60, traces=True),
    "csv": a_table(random.Random(1), 20),
    "json lines": b'{"level": "ERROR", "msg": "x"}\n{"level": "WARN", "msg": "y"}\n',
}


@pytest.mark.parametrize(("drift", "kind"), [(one, kind) for one in DRIFTS.values() for kind in one.fits])
def test_a_drift_changes_what_it_fits_and_is_the_same_for_the_same_seed(drift, kind):
    first = drift.apply("a", HEALTHY[kind], seed=3)

    assert first == drift.apply("a", HEALTHY[kind], seed=3)
    assert first != ("a", HEALTHY[kind])


def test_a_log_as_json_keeps_every_record_and_its_level():
    _, data = DRIFTS["log-to-json"].apply("a.log", HEALTHY["text log"], seed=1)

    records = [json.loads(line) for line in data.splitlines()]
    assert len(records) == 60
    assert sum(record["level"] == "error" for record in records) == HEALTHY["text log"].count(b" ERROR ")


def test_a_packed_file_holds_the_same():
    name, data = DRIFTS["file-gzipped"].apply("a.csv", HEALTHY["csv"], seed=1)

    assert (name, gzip.decompress(data)) == ("a.csv", HEALTHY["csv"])


def test_a_packed_log_is_changed_inside_and_packed_again():
    _, data = DRIFTS["level-lower-case"].apply("a.log", gzip.compress(HEALTHY["text log"], mtime=0), seed=1)

    assert b" error " in gzip.decompress(data)


def test_a_large_file_is_cut_between_lines_also_inside_an_archive(tmp_path):
    data = HEALTHY["csv"] * 50
    (tmp_path / "plain").write_bytes(data)
    (tmp_path / "packed").write_bytes(gzip.compress(data, mtime=0))

    plain, packed = (first_part(tmp_path / name, 2_000) for name in ("plain", "packed"))

    assert plain == gzip.decompress(packed)
    assert data.startswith(plain) and plain.endswith(b"\n") and 1_900 < len(plain) <= 2_000


@pytest.mark.parametrize(
    ("drift", "data"),
    [("decimal-comma", b"a,b\n1,2\n"), ("column-renamed", b"a,b\n"), ("level-lower-case", b"no level\n")],
)
def test_what_cannot_change_is_refused(drift, data):
    with pytest.raises(DoesNotFit):
        DRIFTS[drift].apply("a", data, seed=1)
