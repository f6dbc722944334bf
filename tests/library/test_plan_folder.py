"""The plan folder's digest: one for the same bytes, another for any other bytes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.plan_folder import FILES, PlanFolder, PlanFolderError, digest_of, short

contents = st.fixed_dictionaries({name: st.binary(max_size=40) for name in FILES})


@given(contents)
def test_a_folder_written_and_read_has_the_same_digest(tmp_path_factory, files):
    folder = PlanFolder(files)
    path = tmp_path_factory.mktemp("plan")

    folder.write(path)

    assert PlanFolder.read(path).digest == folder.digest


@given(contents, st.sampled_from(FILES), st.binary(min_size=1, max_size=3))
def test_any_added_byte_changes_the_digest(files, name, more):
    assert PlanFolder(files).digest != PlanFolder({**files, name: files[name] + more}).digest


@given(st.dictionaries(st.text(min_size=1, max_size=6), st.binary(max_size=6), max_size=4))
def test_order_does_not_matter_and_names_do(files):
    backwards = dict(reversed(files.items()))

    assert digest_of(files) == digest_of(backwards)
    assert digest_of({**files, "one more": b""}) != digest_of(files)


def test_bytes_moved_from_one_file_to_the_next_change_the_digest():
    assert digest_of({"a": b"12", "b": b"3"}) != digest_of({"a": b"1", "b": b"23"})


@pytest.mark.parametrize("change", ["missing", "extra", "linked"])
def test_what_is_not_exactly_the_six_files_is_refused(tmp_path: Path, change: str):
    PlanFolder(dict.fromkeys(FILES, b"x")).write(tmp_path)
    if change == "missing":
        (tmp_path / "plan.py").unlink()
    elif change == "extra":
        (tmp_path / "other.py").write_bytes(b"")
    else:
        (tmp_path / "plan.py").unlink()
        (tmp_path / "plan.py").symlink_to("/etc/hostname")

    with pytest.raises(PlanFolderError):
        PlanFolder.read(tmp_path)


def test_the_short_digest_is_what_people_compare():
    assert short("0123456789abcdef") == "01234567"
