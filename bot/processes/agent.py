"""The agent process: requests, replies and surprises; the only one that may hold a model key."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bot.agent.config import ModelSettings
from bot.log import set_up
from bot.processes.health import serve_health
from bot.processes.many import JOBS_NEED, check, is_for_many
from bot.processes.reaping import keep_ending_overdue, keep_reaping
from bot.processes.wiring import boxes, job_parts, parts_of
from bot.settings import Settings
from bot.store.locks import MODEL_PLACES
from bot.work import draft, reply, resume
from bot.work.agent_parts import AgentParts
from bot.work.jobs import AGENT, Job
from bot.work.places import Places
from bot.work.queue import Handler, Worker

if TYPE_CHECKING:
    from bot.agent.client import Model
    from bot.store.tables_installed import Workspace

HANDLERS = {
    Job.DRAFT: Handler(draft.draft, draft.give_up),
    Job.REPLY: Handler(reply.reply, reply.give_up),
    Job.RESUME: Handler(resume.resume, resume.give_up),
}


def main() -> None:
    set_up("agent")
    settings = Settings.load(os.environ)
    if is_for_many(settings):
        serve_many(settings)
        return
    parts = AgentParts(**vars(job_parts(settings)), model=_model())
    keep_reaping(parts.boxes, parts.db, parts.settings.stalled_after_s)
    serve_health("agent", parts.settings, parts.db)
    places = Places(parts.db, MODEL_PLACES, parts.settings.requests_at_once)
    worker = Worker(AGENT, HANDLERS, concurrency=parts.settings.agent_jobs, places=places)
    worker.serve(parts, ready=lambda: print("standby agent ready", flush=True))


def serve_many(settings: Settings) -> None:
    """For every workspace that has Standby; what the model may cost is counted in each by itself."""
    from bot.processes.installed import Installed  # noqa: PLC0415  nobody else needs what it loads
    from bot.processes.installed_workers import Workers  # noqa: PLC0415

    check(settings, JOBS_NEED)
    installed, model = Installed(settings), _model()
    keep_ending_overdue(boxes(settings), settings.stalled_after_s)
    serve_health("agent", settings, installed.control)
    places = Places(installed.control, MODEL_PLACES, settings.requests_at_once)
    worker = Worker(AGENT, HANDLERS, concurrency=settings.agent_jobs, places=places)

    def make(one: Workspace) -> AgentParts:
        return AgentParts(**vars(parts_of(installed, one)), model=model)

    Workers(installed, worker, make).serve(ready=lambda: print("standby agent ready", flush=True))


def _model() -> Model | None:
    """None where there is no key; then its SDK, the better half of this process, is not even loaded."""
    settings = ModelSettings.load(os.environ)
    if settings is None:
        return None
    from bot.agent.client import Model  # noqa: PLC0415

    return Model(settings)


if __name__ == "__main__":
    main()
