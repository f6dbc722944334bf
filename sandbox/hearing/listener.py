"""Inside a box: hears one plan over every drift. Reads listen.json, writes heard.json.

Parent processes load our code once and never run the script; the script runs in forks of them, made anew for each
drift, which inherit nothing of any other run. What a fork leaves behind is ended and removed before the next begins.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import select
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from drifts import DRIFTS, DoesNotFit
from drifts.apply import first_part
from drifts.stamped import shifted
from forks import in_a_fork

WEEKS = 4  # earlier slots, those that are lacking made up; as many as comparing needs
LEAST_BYTES = 20_000  # of a file that is cut
TEXT_KINDS = ("text log", "json lines", "csv")
Files = dict[str, bytes]


class Hall:
    """Where a plan is heard: its texts and the healthy inputs, in memory, where no script reaches them."""

    def __init__(self, task: Mapping[str, Any]) -> None:
        self.task = task
        self.home = Path.cwd()
        self.runner, self.child = importlib.import_module("runner"), importlib.import_module("child")
        self.child.load_kit()
        sys.path.append("look")
        self.sampler = importlib.import_module("sampler")
        self.plan = {path.name: path.read_text(encoding="utf-8") for path in Path("plan").iterdir()}
        if "duckdb" in self.plan["plan.py"] or ".sql(" in self.plan["plan.py"]:
            importlib.import_module(
                "duckdb"
            )  # once here instead of in each fork; it starts no thread before it is asked
        if any(name.endswith(".xlsx") for name in task["names"]):
            importlib.import_module("openpyxl")
        self.history: list[dict[str, Any]] = list(task["slot"]["history"])
        self.files: Files = {}

    def prepare(self) -> dict[str, Any]:
        """The healthy run, over the first part of the inputs where the script takes that, else over all of them."""
        whole = {name: Path("inputs") / name for name in self.task["names"]}
        self.files = {name: first_part(path, self._room(path, whole)) for name, path in whole.items()}
        is_cut = any(len(data) < whole[name].stat().st_size for name, data in self.files.items())
        outcome = self._healthy()
        if outcome["kind"] != "report" and is_cut:
            self.files = {name: path.read_bytes() for name, path in whole.items()}
            outcome = self._healthy()
        return outcome

    def _room(self, path: Path, whole: Mapping[str, Path]) -> int:
        """The same share of each file, so that files which end together still do; small ones stay whole."""
        share = self.task["limit_bytes"] / max(1, sum(one.stat().st_size for one in whole.values()))
        return max(LEAST_BYTES, int(path.stat().st_size * share))

    def _healthy(self) -> dict[str, Any]:
        given = list(self.task["slot"]["history"])
        self.history = sorted([*self._earlier_slots(len(given)), *given], key=lambda one: str(one["due_at"]))
        outcome = self.run(self.files, self.slot(self.history))
        if outcome["kind"] != "report" and len(self.history) > len(given):
            # Such as where dates could not be moved, so that a week that was made up is this one.
            self.history = given
            outcome = self.run(self.files, self.slot(given))
        return outcome

    def _earlier_slots(self, given: int) -> Iterator[dict[str, Any]]:
        """What slots before those that are given would have measured, over the same files with earlier dates.

        So a version is heard with as much behind it as the one before it was.
        """
        for weeks in range(WEEKS, given, -1):
            files = {name: self._earlier(name, data, weeks) for name, data in self.files.items()}
            slot = self.slot([], weeks)
            outcome = self.run(files, slot)
            if outcome["kind"] == "report":
                yield {
                    "due_at": slot["due_at"],
                    "metrics": outcome["metrics"],
                    "inputs": self._other_than_now(files, weeks),
                }

    def _other_than_now(self, files: Files, weeks: int) -> dict[str, str]:
        """Digests of an earlier week's files. Without dates in them they would be this week's, which no week's are."""
        now = digests(self.files)
        found = digests(files)
        return {name: one if one != now[name] else f"{weeks}{one[1:]}" for name, one in found.items()}

    def _earlier(self, name: str, data: bytes, weeks: int) -> bytes:
        """Text has its dates moved; what has none stays as it is."""
        if self.task["kinds"][name] not in TEXT_KINDS or data.startswith(b"\x1f\x8b"):
            return data
        try:
            moved: bytes = shifted(data, timedelta(days=-7 * weeks))
            return moved
        except UnicodeDecodeError:
            return data

    def slot(self, history: list[dict[str, Any]], weeks: int = 0) -> dict[str, Any]:
        moved = {key: moved_back(self.task["slot"][key], weeks) for key in ("due_at", "since", "until")}
        return {**moved, "zone": self.task["slot"]["zone"], "history": history}

    def run(self, files: Files, slot: Mapping[str, Any]) -> dict[str, Any]:
        """The plan over these files in a process and a folder of its own."""
        folder = self.home / "hall" / str(os.getpid())
        shutil.rmtree(folder, ignore_errors=True)
        try:
            for part in ("inputs", "outputs", "scratch"):
                (folder / part).mkdir(parents=True)
            for name, data in files.items():
                (folder / "inputs" / name).write_bytes(data)
            letter = {"source": self.plan["plan.py"], "plan_toml": self.plan["plan.toml"]}
            letter |= {"report_md": self.plan["report.md"], "slot_json": json.dumps(dict(slot))}
            letter["memory_mb"] = self.task["memory_mb"]
            found: dict[str, Any] = self._forked(lambda: self._script(folder, letter))
            return found
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _forked(self, work: Callable[[], dict[str, Any]]) -> Any:
        return in_a_fork(work, self.task["run_s"], self.runner.end_strays)

    def _script(self, folder: Path, letter: Mapping[str, Any]) -> dict[str, Any]:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(self.runner.environment())
        self.child.limit(int(letter["memory_mb"]))
        outcome: dict[str, Any] = self.child.run_letter(letter)
        for one in outcome.get("attachments", []):
            one["sha256"] = hashlib.sha256(Path(one["path"]).read_bytes()).hexdigest()
        return brief(outcome)

    def hear(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """One drift: what became of the files, and what the script made of them."""
        drift, columns = DRIFTS[wanted["id"]], tuple(wanted["columns"])
        for victim in wanted["victims"]:
            try:
                files = drift.happen(self.files, victim, self.task["seed"], columns)
                break
            except (DoesNotFit, UnicodeDecodeError):
                continue
        else:
            return {"id": drift.id, "victim": wanted["victims"][0], "changes": False}
        history = self.history
        if drift.is_sent_again:
            history = [*history[:-1], self._slot_before(history)]
        outcome = self.run(files, self.slot(history))
        return {
            "id": drift.id,
            "victim": victim,
            "changes": True,
            "names": sorted(files),
            "twins": len(set(digests(files).values())) < len(files),
            "known": drift.is_sent_again,
            "looks": len(self._changed(files)),
            "samples": self._samples(files),
            "outcome": outcome,
        }

    def _slot_before(self, history: list[dict[str, Any]]) -> dict[str, Any]:
        """The slot before, if these very files had been its files."""
        due_at = history[-1]["due_at"] if history else self.slot([], 1)["due_at"]
        healthy = self.run(self.files, self.slot([]))
        return {"due_at": due_at, "metrics": healthy.get("metrics", {}), "inputs": digests(self.files)}

    def _changed(self, files: Files) -> list[str]:
        return [name for name, data in files.items() if self.files.get(name) != data]

    def _samples(self, files: Files) -> list[dict[str, Any]]:
        """Looks at the files that are not as they were. Trusted code over drifted bytes, so in a fork as well."""
        changed = self._changed(files)
        folder = self.home / "hall" / f"look-{os.getpid()}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in changed:
            (folder / name).write_bytes(files[name])
        look = lambda: {"samples": [self.sampler.sample_of(folder / name) for name in changed]}  # noqa: E731
        try:
            return list(self._forked(look).get("samples", []))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def digests(files: Files) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def moved_back(moment: str, weeks: int) -> str:
    return (datetime.fromisoformat(moment) - timedelta(days=7 * weeks)).isoformat()


def brief(outcome: dict[str, Any]) -> dict[str, Any]:
    """A report as the digest of all a reader sees, since reports are compared and not shown; else as it is.

    Metrics are kept and not seen: that the content is another one is no other report.
    """
    if outcome["kind"] != "report":
        return outcome
    shown = {key: outcome[key] for key in ("markdown", "tables", "charts", "attachments")}
    seen = json.dumps(shown, sort_keys=True, default=str).encode()
    kept = {key: outcome[key] for key in ("kind", "checks", "metrics")}
    return {**kept, "digest": hashlib.sha256(seen).hexdigest()}


def in_parallel(hall: Hall, wanted: list[dict[str, Any]], workers: int, until: float) -> Iterator[dict[str, Any]]:
    """Results in whatever order they come. Each worker takes the next drift from a pipe that all of them share."""
    turns_out, turns_in = os.pipe()
    results = {}
    for _ in range(workers):
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.close(turns_in)
            _work(hall, wanted, turns_out, writing, until)
        os.close(writing)
        results[reading] = b""
    os.close(turns_out)
    os.write(turns_in, b"".join(at.to_bytes(2, "big") for at in range(len(wanted))))
    os.close(turns_in)
    while results:
        for reading in select.select(list(results), [], [])[0]:
            piece = os.read(reading, 1 << 20)
            *lines, results[reading] = (results[reading] + piece).split(b"\n")
            yield from map(json.loads, lines)
            if not piece:
                os.close(reading)
                del results[reading]


def _work(hall: Hall, wanted: list[dict[str, Any]], turns: int, writing: int, until: float) -> None:
    """A worker: no script runs in it. What is not begun when the time is up is left undone."""
    try:
        os.setsid()
        hall.runner.stand_apart()
        while (turn := os.read(turns, 2)) and time.monotonic() < until:
            line = json.dumps(hall.hear(wanted[int.from_bytes(turn, "big")])).encode()
            sent = 0
            while sent < len(line) + 1:
                sent += os.write(writing, (line + b"\n")[sent:])
    finally:
        os._exit(0)


def main() -> None:
    started = time.monotonic()
    task = json.loads(Path("listen.json").read_text(encoding="utf-8"))
    hall = Hall(task)
    hall.runner.stand_apart()
    heard: dict[str, Any] = {"healthy": hall.prepare(), "earlier": len(hall.history), "heard": []}
    if heard["healthy"]["kind"] == "report":
        for one in in_parallel(hall, task["drifts"], task["workers"], started + task["time_s"]):
            heard["heard"].append(one)
            print(len(heard["heard"]), flush=True)
    heard["seconds"] = round(time.monotonic() - started, 2)
    Path("heard.json").write_text(json.dumps(heard), encoding="utf-8")


if __name__ == "__main__":
    main()
