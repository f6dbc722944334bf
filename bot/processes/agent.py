"""The agent process: requests, replies and surprises; the only one that may hold a model key."""

import os

from bot.log import set_up
from bot.processes.reaping import keep_reaping
from bot.processes.wiring import job_parts
from bot.settings import Settings
from bot.work import draft, reply, resume
from bot.work.jobs import AGENT, Job
from bot.work.queue import Handler, Worker

HANDLERS = {
    Job.DRAFT: Handler(draft.draft, draft.give_up),
    Job.REPLY: Handler(reply.reply, reply.give_up),
    Job.RESUME: Handler(resume.resume, resume.give_up),
}


def main() -> None:
    set_up("agent")
    parts = job_parts(Settings.load(os.environ))
    keep_reaping(parts.boxes)
    worker = Worker(AGENT, HANDLERS, concurrency=4)
    worker.serve(parts, ready=lambda: print("standby agent ready", flush=True))


if __name__ == "__main__":
    main()
