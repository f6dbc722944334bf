"""Drifts of whole files and sets of files, whatever is in them."""

from __future__ import annotations

import gzip
import io
import re
import zipfile

from .drift import ANY, TEXT, Aim, DoesNotFit, Drift, Files, Need

_README = b"This folder is filled by the export service.\nQuestions: ask the lab.\n"


def _gzipped(data: bytes, _aim: Aim) -> bytes:
    """Under its old name; without a time in the archive, so that it is always the same."""
    return gzip.compress(data, mtime=0)


def _zipped(data: bytes, aim: Aim) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(aim.name), data)
    return out.getvalue()


def _missing(files: Files, aim: Aim) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if name != aim.name}


def _twice(files: Files, aim: Aim) -> dict[str, bytes]:
    stem, dot, suffix = aim.name.partition(".")
    return {**files, f"{stem} (1){dot}{suffix}": files[aim.name]}


def _read_me(files: Files, _aim: Aim) -> dict[str, bytes]:
    return {**files, "README.txt": _README}


def _leftovers(files: Files, aim: Aim) -> dict[str, bytes]:
    return {**files, ".DS_Store": b"\0\0\0\1Bud1\0\0\20\0", f"~${aim.name}": b"\5alice" + b" " * 48}


def _renamed(files: Files, aim: Aim) -> dict[str, bytes]:
    """As people rename: another letter case, another separator."""
    stem, dot, suffix = aim.name.partition(".")
    return {
        (f"{stem.title().replace('-', '_')}_new{dot}{suffix}" if name == aim.name else name): data
        for name, data in files.items()
    }


def _swapped(files: Files, aim: Aim) -> dict[str, bytes]:
    """Another file's content stands under this name as well, and this one's is gone."""
    others = sorted(name for name in files if name != aim.name)
    if not others:
        raise DoesNotFit("there is no other file")
    return {**files, aim.name: files[aim.chance.choice(others)]}


def _backup(files: Files, aim: Aim) -> dict[str, bytes]:
    """A copy that somebody saved before the last lines were written."""
    data = files[aim.name]
    end = data.rfind(b"\n", 0, len(data) * 9 // 10) + 1
    if not end:
        raise DoesNotFit(f"{aim.name} has no lines")
    return {**files, f"backup of {aim.name}": data[:end]}


def _rotated(files: Files, aim: Aim) -> dict[str, bytes]:
    """Only the newer part is there: the older one was moved away in the night."""
    data = files[aim.name]
    start = data.find(b"\n", len(data) * 7 // 10) + 1
    head = data[: data.find(b"\n") + 1] if re.match(rb"[A-Za-z_]+[,;\t|]", data) else b""
    if not start or start >= len(data):
        raise DoesNotFit(f"{aim.name} has no lines")
    return {**files, aim.name: head + data[start:]}


_BESIDE = (Need.NEIGHBOURS,)
FILE_DRIFTS = (
    Drift("file-empty", "the file arrived empty", ANY, False, lambda _data, _aim: b"", opens_archives=False),
    Drift(
        "file-gzipped",
        "the file arrived packed with gzip under its old name",
        TEXT,
        True,
        _gzipped,
        opens_archives=False,
    ),
    Drift(
        "file-zipped", "the file arrived as a zip archive under its old name", TEXT, True, _zipped, opens_archives=False
    ),
    Drift("file-missing", "one of the files was missing", ANY, False, change_set=_missing, needs=_BESIDE),
    Drift("file-twice", "a file came twice, the second time as (1)", ANY, False, change_set=_twice),
    Drift("file-renamed", "a file came under another name", ANY, True, change_set=_renamed),
    Drift(
        "file-swapped", "a file's name stood on another file's content", ANY, False, change_set=_swapped, needs=_BESIDE
    ),
    Drift("file-backup", "an older copy of a file lay beside it", TEXT, False, change_set=_backup),
    Drift("file-read-me", "a README lay beside the files", ANY, True, change_set=_read_me),
    Drift("file-leftovers", "leftovers of a file manager lay beside the files", ANY, True, change_set=_leftovers),
    Drift("file-rotated", "the older part of a file had been moved away", TEXT, False, change_set=_rotated),
    Drift(
        "sent-again",
        "last week's files were sent again",
        ANY,
        False,
        change_set=lambda files, _aim: dict(files),
        is_sent_again=True,
    ),
)
