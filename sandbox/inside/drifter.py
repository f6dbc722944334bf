"""Drifts one input in place: `python drifter.py DRIFT NAME SEED`; prints the file's name afterwards."""

from __future__ import annotations

import sys
from pathlib import Path

from drifts import DRIFTS


def main() -> None:
    drift, name, seed = sys.argv[1:]
    path = Path("inputs") / name
    new_name, data = DRIFTS[drift].apply(name, path.read_bytes(), int(seed))
    path.unlink()
    (Path("inputs") / new_name).write_bytes(data)
    print(new_name)


if __name__ == "__main__":
    main()
