"""Takes one file from a folder into kept files, as a run does, in a process of its own whose memory is measured."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from bot.settings import Settings
from bot.source_settings import SourceSettings
from bot.sources.errors import SourceError
from bot.sources.reach import Reach
from bot.store.blobs import Blobs


def main(path: Path, blobs: Path, *, grows: bool) -> dict[str, object]:
    sources = {"lab": SourceSettings(root=str(path.parent))}
    settings = Settings.load({}).model_copy(update={"sources": sources})
    before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.monotonic()
    try:
        with Reach(settings, ()) as reach:
            (one,) = reach.find([str(path)])
            if grows:
                with path.open("ab") as file:
                    file.write(b"one line more\n")
            kept = Blobs(str(blobs)).keep(lambda into: reach.take(one, into))
    except SourceError as error:
        return {"refused": str(error)}
    seconds = time.monotonic() - began
    most_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "sha256": kept.sha256,
        "size_bytes": kept.size_bytes,
        "seconds": round(seconds, 2),
        "rss_mib": round(most_kib / 1024),
        "more_mib": round((most_kib - before_kib) / 1024),
    }


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), Path(sys.argv[2]), grows=sys.argv[3:] == ["grows"])))
