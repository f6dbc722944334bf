"""The key of the history is made once, readable by us alone; what was newest is noted outside, and never goes back."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.store.seal import HEAD_FILE, KEY_FILE, Head, Seal, SealProblem, seal_in


def test_the_first_start_makes_a_key_that_only_we_can_read(tmp_path: Path):
    seal = seal_in(tmp_path / "data")

    kept = tmp_path / "data" / KEY_FILE
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert seal_in(tmp_path / "data") == seal
    assert len(seal.key) == 64
    assert [path.name for path in kept.parent.iterdir()] == [KEY_FILE]


def test_of_many_that_start_at_once_one_makes_the_key(tmp_path: Path):
    with ThreadPoolExecutor(8) as pool:
        seals = list(pool.map(lambda _: seal_in(tmp_path), range(8)))
    assert len({seal.key for seal in seals}) == 1


def test_a_key_that_others_can_read_seals_nothing(tmp_path: Path):
    seal_in(tmp_path)
    (tmp_path / KEY_FILE).chmod(0o640)
    with pytest.raises(SealProblem, match="can be read by others"):
        seal_in(tmp_path)


def test_a_folder_that_takes_no_key_is_told_in_words(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SealProblem, match="set STANDBY_HISTORY_KEY"):
        seal_in(tmp_path / "file" / "data")


def test_a_key_of_the_settings_makes_no_file_and_looking_alone_makes_none_either(tmp_path: Path):
    assert seal_in(tmp_path, "from the settings").key == b"from the settings"
    assert seal_in(tmp_path, makes_key=False) == Seal()
    assert list(tmp_path.iterdir()) == []


def test_what_is_noted_never_goes_back(tmp_path: Path):
    seal = Seal(b"key", tmp_path / HEAD_FILE)
    for number in (2, 7, 5):  # two processes may note in another order than they committed
        seal.note(Head(number, f"hash {number}"))
    assert seal.noted() == Head(7, "hash 7")


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"id": 1}', "null"])
def test_a_note_that_cannot_be_read_is_none(tmp_path: Path, kept: str):
    (tmp_path / HEAD_FILE).write_text(kept)
    assert Seal(b"key", tmp_path / HEAD_FILE).noted() is None


def test_a_seal_fits_its_hash_under_its_key_alone():
    seal = Seal(b"key")
    assert seal.fits("a", seal.of("a"))
    assert not any((seal.fits("b", seal.of("a")), seal.fits("a", ""), Seal(b"other").fits("a", seal.of("a"))))
    assert Seal().of("a") == ""


def test_with_a_key_of_the_settings_the_end_of_the_history_is_noted_though_nobody_made_the_folder(
    tmp_path: Path,
) -> None:
    seal = seal_in(tmp_path / "data", "from the settings")
    seal.note(Head(7, "h"))
    assert seal.noted() == Head(7, "h")
