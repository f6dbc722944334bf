"""Files of a folder: found by pattern, whole or refused, and never from outside it."""

import os
import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from bot.sources.errors import (
    SourceChanged,
    SourceError,
    SourceNameRefused,
    SourceNotAllowed,
    SourceRefused,
    SourceTooLarge,
)
from bot.sources.reach import Reach
from tests.sources.conftest import settings_with, taken

Write = Callable[[str, bytes], Path]


def _settings(tmp_path: Path, **others: object):
    return settings_with({"lab": {"root": str(tmp_path / "lab")}}, **others)


def test_a_pattern_finds_its_files_and_no_hidden_ones(tmp_path: Path, lab: Write) -> None:
    lab("2026-W48/a.log", b"one")
    lab("2026-W48/b.log", b"two")
    lab("2026-W48/.c.log", b"hidden")
    lab("2026-W48/d.txt", b"other kind")
    lab("2026-W48/deeper/e.log", b"deeper")
    assert taken(_settings(tmp_path), f"{tmp_path}/lab/2026-W48/*.log") == {"a.log": b"one", "b.log": b"two"}


def test_what_differs_in_a_folder_is_called_by_folder_and_name(tmp_path: Path, lab: Write) -> None:
    lab("oslo/error.log", b"1")
    lab("bergen/error.log", b"2")
    found = taken(_settings(tmp_path), f"{tmp_path}/lab/*/error.log")
    assert found == {"bergen_error.log": b"2", "oslo_error.log": b"1"}


def test_two_files_of_one_name_are_refused_before_any_is_read(tmp_path: Path, lab: Write) -> None:
    lab("oslo/error.log", b"1")
    lab("bergen/error.log", b"2")
    with pytest.raises(SourceNameRefused, match=r"would both be called error\.log"):
        taken(_settings(tmp_path), f"{tmp_path}/lab/oslo/error.log", f"{tmp_path}/lab/bergen/error.log")


def test_an_address_below_no_root_names_the_setting_to_add(tmp_path: Path, lab: Write) -> None:
    lab("a.log", b"1")
    with pytest.raises(SourceNotAllowed) as refused:
        taken(_settings(tmp_path), f"{tmp_path}/other/*.log")
    assert (
        f'STANDBY_SOURCES, with the login beside root where it needs one: {{"folder": {{"root": "{tmp_path}/other/"}}}}'
        in str(refused.value)
    )


def test_a_root_allows_no_folder_whose_name_only_begins_like_it(tmp_path: Path, lab: Write) -> None:
    lab("a.log", b"1")
    (tmp_path / "lab-private").mkdir()
    with pytest.raises(SourceNotAllowed):
        taken(_settings(tmp_path), f"{tmp_path}/lab-private/a.log")


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_link_out_of_the_root_leads_nowhere(tmp_path: Path, lab: Write, is_folder: bool) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.log").write_bytes(b"secret")
    link = lab("first.log", b"1").parent / ("week" if is_folder else "key.log")
    link.symlink_to(secret if is_folder else secret / "key.log")
    with pytest.raises(SourceRefused, match="link that leads out"):
        taken(_settings(tmp_path), f"{tmp_path}/lab/{'week/' if is_folder else ''}*.log")


def test_a_pipe_is_no_file_and_is_not_waited_for(tmp_path: Path, lab: Write) -> None:
    lab("a.log", b"1")
    os.mkfifo(tmp_path / "lab" / "b.log")
    assert taken(_settings(tmp_path), f"{tmp_path}/lab/*.log") == {"a.log": b"1"}


@pytest.mark.parametrize("name", ["a\nb.log", "safe\u202egol.log", "x" * 210 + ".log", "z\udcff.log"])
def test_a_hostile_name_is_refused_in_visible_words(tmp_path: Path, lab: Write, name: str) -> None:
    lab("a.log", b"1")
    (tmp_path / "lab" / name).write_bytes(b"2")
    with pytest.raises(SourceNameRefused) as refused:
        taken(_settings(tmp_path), f"{tmp_path}/lab/*.log")
    assert str(refused.value).isprintable()


def test_a_sparse_file_of_20_gb_is_refused_before_it_is_read(tmp_path: Path, lab: Write) -> None:
    path = lab("big.log", b"")
    os.truncate(path, 20 << 30)
    with pytest.raises(SourceTooLarge, match=r"big\.log \(21,475 MB\) holds more than 20,480 MB"):
        taken(_settings(tmp_path), str(path))


def test_the_sum_is_judged_before_anything_is_read(tmp_path: Path, lab: Write) -> None:
    for number in range(3):
        os.truncate(lab(f"{number}.log", b""), 500_000)
    with pytest.raises(SourceTooLarge, match="3 files that are meant hold 2 MB"):
        taken(_settings(tmp_path, source_slot_mb=1), f"{tmp_path}/lab/*.log")


def test_more_files_than_are_allowed_are_refused(tmp_path: Path, lab: Write) -> None:
    for number in range(4):
        lab(f"{number}.log", b"x")
    with pytest.raises(SourceTooLarge, match="more than 3 files"):
        taken(_settings(tmp_path, source_files=3), f"{tmp_path}/lab/*.log")


def test_a_file_that_is_written_while_it_is_read_does_not_count(tmp_path: Path, lab: Write) -> None:
    path = lab("a.log", b"x" * 3_000_000)

    class Meddled(BytesIO):
        """Somebody goes on writing as soon as we begin to read."""

        def write(self, data: bytes) -> int:  # type: ignore[override]
            if not self.tell():
                with path.open("ab") as file:
                    file.write(b"more")
            return super().write(data)

    with Reach(_settings(tmp_path), ()) as reach:
        (one,) = reach.find([str(path)])
        with pytest.raises(SourceChanged, match="while it was read"):
            reach.take(one, Meddled())


def test_a_file_that_changed_since_it_was_found_does_not_count(tmp_path: Path, lab: Write) -> None:
    path = lab("a.log", b"x")
    with Reach(_settings(tmp_path), ()) as reach:
        (one,) = reach.find([str(path)])
        path.write_bytes(b"other")
        with pytest.raises(SourceChanged):
            reach.take(one, BytesIO())


def test_a_folder_that_is_not_mounted_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is not there"):
        taken(_settings(tmp_path), f"{tmp_path}/lab/*.log")


def test_many_small_files_are_all_found(tmp_path: Path, lab: Write) -> None:
    for number in range(2_000):
        lab(f"{number:05}.log", b"%d" % number)
    found = taken(_settings(tmp_path), f"{tmp_path}/lab/?????.log")
    assert len(found) == 2_000
    assert found["01999.log"] == b"1999"


def test_collecting_that_takes_too_long_is_ended(tmp_path: Path, lab: Write) -> None:
    path = lab("a.log", b"x" * 4_000_000)
    started = threading.Event()
    with Reach(_settings(tmp_path, source_time_s=0.05), ()) as reach:
        (one,) = reach.find([str(path)])
        started.wait(0.1)
        with pytest.raises(SourceTooLarge, match="longer than 0 s"):
            reach.take(one, BytesIO())
