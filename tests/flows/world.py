"""A whole Standby for one flow: database, boxes, desk and our four processes, each started as in production."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from bot.processes import lifeline
from bot.processes.environment import for_part
from bot.settings import Settings
from bot.store.embedded import Embedded
from tests.box.local_server import LocalServer
from tests.desk_client import Desk, Message, Person, View
from tests.desk_server import RunningDesk

START_WITHIN_S = 120.0  # of a copy that nothing is compiled of, on a busy machine
REQUEST = "@standby Every Monday compile last week's instrument logs into an error summary and email it to the lab list"
LAB_LIST = ("lab@example.org", "chem@example.org")


@dataclass
class Process:
    """One of our processes: started, killed, started again; it ends when the tests end, however they do.

    Its output is kept in a file.
    """

    name: str
    environment: dict[str, str]
    log: Path
    module: str = ""  # what runs, where that is no process of ours
    popen: subprocess.Popen[bytes] | None = None
    said_before: int = 0
    held: int | None = None  # our end of its lifeline

    def start(self) -> None:
        """Start it, and wait until it says that it is ready."""
        self.spawn()
        self.wait_ready()

    def spawn(self) -> None:
        self.said_before = self.log.stat().st_size if self.log.exists() else 0
        self._let_go()
        theirs, self.held = os.pipe()
        command = [sys.executable, "-P", "-m", "bot.processes.lifeline"]
        command += [self.module or f"bot.processes.{self.name}"]
        environment = self.environment | {lifeline.VARIABLE: str(theirs)}
        with self.log.open("ab") as out:
            self.popen = subprocess.Popen(command, env=environment, pass_fds=[theirs], stdout=out, stderr=out)
        os.close(theirs)

    def wait_ready(self) -> None:
        assert self.popen is not None
        deadline = time.monotonic() + START_WITHIN_S
        while f"standby {self.name} ready".encode() not in self.log.read_bytes()[self.said_before :]:
            assert self.popen.poll() is None, f"{self.name} ended:\n{self.log.read_text()[-3000:]}"
            assert time.monotonic() < deadline, f"{self.name} is not ready:\n{self.log.read_text()[-3000:]}"
            time.sleep(0.02)

    def kill(self) -> None:
        """SIGKILL: nothing in it gets to clean up."""
        assert self.popen is not None
        self.popen.kill()
        self.popen.wait(10)
        self._let_go()

    def stop(self) -> None:
        self.ask_to_stop()
        self.wait_stopped()

    def ask_to_stop(self) -> None:
        if self.popen is not None and self.popen.poll() is None:
            self.popen.send_signal(signal.SIGTERM)

    def wait_stopped(self) -> None:
        if self.popen is None:
            return
        try:
            self.popen.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
        self._let_go()

    def _let_go(self) -> None:
        if self.held is not None:
            os.close(self.held)
        self.held = None


@dataclass
class World:
    """What a flow works with. It looks only at desk, mail sink and box server, never into our rows."""

    desk: Desk
    boxes: LocalServer
    folder: Path
    settings: Settings
    processes: dict[str, Process] = field(default_factory=dict)
    signing_secret: str = ""  # of the app at the desk
    database: Embedded | None = None  # where it is this world's own
    code: Path | None = None  # where our processes take their code from; None is this checkout
    environment: dict[str, str] = field(default_factory=dict)  # what they find besides
    model: dict[str, str] = field(default_factory=dict)  # variables of the model, as an operator sets them

    @property
    def alice(self) -> Person:
        return self.desk.person("Alice")

    @property
    def bob(self) -> Person:
        return self.desk.person("Bob")

    @property
    def charlie(self) -> Person:
        return self.desk.person("Charlie")

    def start(self, *names: str) -> None:
        """Start our processes; all of them when none is named."""
        wanted = names or ("bot", "agent", "runner", "clock")
        for name in wanted:
            environment = for_part(name, self.settings, os.environ | self.model) | self.environment
            if self.code is not None:
                environment["PYTHONPATH"] = str(self.code)
            self.processes[name] = Process(name, environment, self.folder / f"{name}.log")
            self.processes[name].spawn()
        for name in wanted:
            self.processes[name].wait_ready()

    def stop(self) -> None:
        for process in self.processes.values():
            process.ask_to_stop()
        for process in self.processes.values():
            process.wait_stopped()

    def request(self, text: str = REQUEST, files: dict[str, bytes] | None = None) -> Message:
        """Alice asks in #lab, with the story's logs unless others are given."""
        return self.alice.post("#lab", text, files=self.desk.story_files("request") if files is None else files)

    def card(self, after: Message | None = None, within_s: float = 90) -> Message:
        """The newest open approval card in #lab."""
        return self.desk.wait_for(lambda m: m.has_button("Reject"), within_s=within_s, after=after)

    def approved_routine(self) -> tuple[Message, Message]:
        """Request and approved card of the story's routine."""
        request = self.request()
        card = self.card()
        self.approve(card)
        return request, card

    def approve(self, card: Message, by: Person | None = None) -> None:
        """Approve, and wait until card and thread show it: nothing that comes of it is still to be posted then."""
        self.press_until_approved(card, by or self.bob)
        self.desk.wait_for(
            lambda m: m.is_from_bot and not m.raw.get("ephemeral_to") and m.says("approved: version", "is current"),
            after=card,
            within_s=20,
        )

    def press_until_approved(self, card: Message, person: Person) -> None:
        """Press Approve, and once more where it is asked again."""
        self.press_approve(card, person)
        self.desk.wait_until(lambda: self._is_approved(card, person), within_s=20)

    def _is_approved(self, card: Message, person: Person) -> bool:
        """Whether the card says so; where checks are weaker than before, the form that asks once more is pressed."""
        if self.desk.again(card).says("Approved"):
            return True
        for view in person.views()[-1:]:
            if view.says("Nothing is approved yet"):
                person.press(view, "Yes, approve it")
        return False

    def press_approve(self, card: Message, person: Person) -> None:
        """Press Approve on the card, or on the last page where the plan is too long for a card."""
        person.press(card if card.has_button("Approve") else self.last_page(card, person), "Approve")

    def last_page(self, card: Message, person: Person) -> View:
        """What stands at the end of Show all, after every page before it."""
        return self.pages(card, person)[-1]

    def pages(self, card: Message, person: Person) -> list[View]:
        """Show all, page by page."""
        person.press(card, "Show all")
        found = [person.wait_for_view()]
        while "Next" in found[-1].words:
            seen = found[-1].words
            person.press(found[-1], "Next")
            found.append(person.wait_for_view(lambda view: view.words != seen))  # noqa: B023  called at once
        return found

    def monday(self) -> None:
        """Make it the next Monday 07:00."""
        self.desk.move_clock_to_weekday()

    def posted(self, *words: str, within_s: float = 90, after: Message | None = None) -> Message:
        """A message of the bot that says all these words, once it is there."""
        return self.desk.wait_for(lambda m: m.is_from_bot and m.says(*words), within_s=within_s, after=after)

    def count(self, *words: str) -> int:
        """How many messages of the bot say all these words."""
        return sum(one.is_from_bot and one.says(*words) for one in self.desk.messages("#lab"))

    def told(self, person: Person, *words: str, within_s: float = 20) -> Message:
        """What only this person is told, once it is there."""

        def found() -> Message | None:
            seen = person.sees("#lab")
            return next((m for m in seen if m.raw.get("ephemeral_to") == person.id and m.says(*words)), None)

        return self.desk.wait_until(
            found, within_s=within_s, otherwise=lambda: f"{person.name} was not told {words}: {person.sees('#lab')}"
        )

    def logs(self) -> str:
        """The ends of all processes' logs, for a failed test."""
        return "\n".join(f"--- {p.name}\n{p.log.read_text()[-4000:]}" for p in self.processes.values())


def settings_for(
    folder: Path, desk: RunningDesk, approver: Person, boxes: LocalServer, database_url: str, **more: Any
) -> Settings:
    """The settings of a local Standby, quick to notice a dead worker."""
    return Settings.load({}).model_copy(
        update={
            "data_dir": folder,
            "database_url": database_url,
            "slack_api_url": desk.api_url,
            "slack_bot_token": SecretStr(desk.bot_token),
            "slack_app_token": SecretStr(desk.app_token),
            "approvers": (approver.id,),
            "box_api_key": SecretStr(boxes.key),
            "box_api_url": boxes.url,
            "box_sandbox_url": boxes.url,
            "smtp_host": desk.smtp_host,
            "smtp_port": desk.smtp_port,
            "smtp_starttls": False,
            "mail_from": "standby@example.org",
            "destinations": {"lab list": LAB_LIST},
            "clock_url": desk.clock_url,
            "heartbeat_s": 0.5,
            "stalled_after_s": 3.0,
            **more,
        }
    )
