"""The clock: wakes what is due and hands out again what a dead worker held. No model key, no box, no Slack."""

import os
import signal
from threading import Event

from bot.log import set_up
from bot.processes.database import database
from bot.processes.health import serve_health
from bot.processes.many import Databases, Roster, check, is_for_many
from bot.settings import Settings, refuse_model_key
from bot.work.clock import Wakes
from bot.work.wall import clock_from


def main() -> None:
    refuse_model_key(os.environ)
    set_up("clock")
    settings = Settings.load(os.environ)
    stop = Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda *_: stop.set())
    db, minded = database(settings), None
    if is_for_many(settings):
        check(settings, ())
        minded = Databases(Roster(settings))
    wakes = Wakes(db, clock_from(settings), settings, minded)
    serve_health("clock", settings, db, wakes.asleep)
    wakes.serve(stop, ready=lambda: print("standby clock ready", flush=True))


if __name__ == "__main__":
    main()
