"""Inside a box: `python -m drifts.apply ID NAME SEED` changes inputs/NAME and prints the name it has afterwards."""

import sys
from pathlib import Path

from . import DRIFTS
from .drift import DoesNotFit

KEPT = "undrifted-input"  # where the healthy file waits, so that it need not be sent again
DOES_NOT_FIT = 3  # exit code
LIMIT_BYTES = 5_000_000  # a drift shows as well on the first part of a large file


def main(drift_id: str, name: str, seed: str) -> int:
    source = Path("inputs") / name
    with source.open("rb") as stream:
        data = stream.read(LIMIT_BYTES)
        if stream.read(1):
            data = data[: data.rfind(b"\n") + 1]
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
