"""What is written on a box, so that it is known whose it is."""

from collections.abc import Mapping

# Every box of ours carries this tag, and the reaper touches no box without it.
OURS: Mapping[str, str] = {"standby": "1"}
INSTALL, WORKER = "install", "worker"  # which Standby, and which of its workers, opened the box
