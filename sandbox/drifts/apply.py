"""Inside a box: `python -m drifts.apply ID NAME SEED` changes inputs/NAME and prints the name it has afterwards."""

import gzip
import sys
from pathlib import Path
from typing import BinaryIO

from . import DRIFTS
from .drift import DoesNotFit

KEPT = "undrifted-input"  # where the healthy file waits, so that it need not be sent again
DOES_NOT_FIT = 3  # exit code
LIMIT_BYTES = 5_000_000  # a drift shows as well on the first part of a large file


def first_part(path: Path, limit_bytes: int) -> bytes:
    """The file, or its whole lines up to a limit; of a gzip archive its unpacked lines, packed again."""
    with path.open("rb") as stream:
        if stream.read(2) == b"\x1f\x8b":
            with gzip.open(path, "rb") as unpacked:
                return gzip.compress(_whole_lines(unpacked, limit_bytes), mtime=0)
        stream.seek(0)
        return _whole_lines(stream, limit_bytes)


def _whole_lines(stream: BinaryIO | gzip.GzipFile, limit_bytes: int) -> bytes:
    data: bytes = stream.read(limit_bytes)
    return data[: data.rfind(b"\n") + 1] if stream.read(1) else data


def main(drift_id: str, name: str, seed: str) -> int:
    source = Path("inputs") / name
    data = first_part(source, LIMIT_BYTES)
    try:
        new_name, changed = DRIFTS[drift_id].apply(name, data, int(seed))
    except (DoesNotFit, UnicodeDecodeError):
        return DOES_NOT_FIT
    source.replace(KEPT)
    (source.parent / new_name).write_bytes(changed)
    print(new_name)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
