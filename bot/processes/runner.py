"""The runner: scheduled runs and deliveries. It refuses a model key, and nothing it imports could use one."""

import os

from bot.log import set_up
from bot.processes.health import serve_health
from bot.processes.many import JOBS_NEED, check, is_for_many
from bot.processes.reaping import keep_ending_overdue, keep_reaping
from bot.processes.wiring import boxes, job_parts, parts_of
from bot.settings import Settings, refuse_model_key
from bot.work import deliver, order, ping, run, tell, tidy, unsure
from bot.work.jobs import RUNNER, Job
from bot.work.parts import JobParts
from bot.work.queue import Handler, Worker


def _say_nothing(parts: JobParts, why: str, **args: object) -> None:
    """What cannot be posted cannot be told by a message, so the log has it; a ping that fails is the alarm itself."""


HANDLERS = {
    Job.RUN: Handler(run.run, run.give_up),
    Job.DELIVER: Handler(deliver.deliver, deliver.give_up),
    Job.UNSURE: Handler(unsure.tell, _say_nothing),
    Job.TELL: Handler(tell.tell, tell.give_up),
    Job.DRAW: Handler(tell.draw, _say_nothing),
    Job.ASK: Handler(tell.ask, _say_nothing),
    Job.ORDER: Handler(order.obey, order.give_up),
    Job.TIDY: Handler(tidy.tidy, _say_nothing),
    Job.PING: Handler(ping.ping, _say_nothing),
    Job.SAY: Handler(tell.say, _say_nothing),
}


def main() -> None:
    refuse_model_key(os.environ)
    set_up("runner")
    settings = Settings.load(os.environ)
    if is_for_many(settings):
        serve_many(settings)
        return
    parts = job_parts(settings)
    keep_reaping(parts.boxes, parts.db, parts.settings.stalled_after_s)
    serve_health("runner", parts.settings, parts.db)
    worker = Worker(RUNNER, HANDLERS, concurrency=parts.settings.runner_jobs)
    worker.serve(parts, ready=lambda: print("standby runner ready", flush=True))


def serve_many(settings: Settings) -> None:
    """For every workspace that has Standby."""
    from bot.processes.installed import Installed  # noqa: PLC0415  nobody else needs what it loads
    from bot.processes.installed_workers import Workers  # noqa: PLC0415

    check(settings, JOBS_NEED)
    installed = Installed(settings)
    keep_ending_overdue(boxes(settings), settings.stalled_after_s)
    serve_health("runner", settings, installed.control)
    worker = Worker(RUNNER, HANDLERS, concurrency=settings.runner_jobs)
    workers = Workers(installed, worker, lambda one: parts_of(installed, one))
    workers.serve(ready=lambda: print("standby runner ready", flush=True))


if __name__ == "__main__":
    main()
