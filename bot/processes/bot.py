"""The bot process: Slack's events and presses become rows and jobs, and presses are answered."""

import os
import signal
import sys
from threading import Event

from bot.domain.errors import ChatError, ChatRefused
from bot.log import log, set_up
from bot.processes.database import database
from bot.processes.front import Front
from bot.processes.health import serve_health
from bot.processes.many import check, is_for_many
from bot.processes.parts import EXIT_REFUSED
from bot.processes.way_in import WayIn, way_in
from bot.processes.workspace import refuse_another
from bot.settings import Settings, SettingsError
from bot.slack import wire
from bot.slack.app import build_app
from bot.slack.chat import SlackChat
from bot.slack.homes import Homes
from bot.slack.socket import Socket
from bot.work.parts import Parts
from bot.work.wall import clock_from

RETRY_S = 2.0


def main() -> None:
    """Serve until SIGTERM or SIGINT; exit with EXIT_REFUSED where another start would change nothing."""
    set_up("bot")
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        serve(Settings.load(os.environ), stop)
    except (SettingsError, ChatRefused) as error:
        print(error, file=sys.stderr)
        sys.exit(EXIT_REFUSED)


def serve(settings: Settings, stop: Event) -> None:
    """Listen. Raises SettingsError or ChatRefused where the tokens are no good."""
    wire.forget_what_bolt_reads(settings, os.environ)
    if is_for_many(settings):
        serve_many(settings, stop)
        return
    if not settings.approvers and not settings.approvers_of:
        log.warning("nobody_may_approve", todo="STANDBY_APPROVERS names nobody; set it to people or user groups")
    if not settings.slack_bot_token:
        raise SettingsError(
            "STANDBY_SLACK_BOT_TOKEN is not set, so there is no workspace to listen to. "
            "Set it, or start everything with `uv run standby up`, which brings a workspace of its own."
        )
    way = way_in(settings)
    chat = SlackChat(settings, is_pressed=True)
    parts = Parts(database(settings), chat, clock_from(settings), settings)
    homes = Homes(parts, chat)
    app = build_app(parts, chat, homes)
    is_socket = way is WayIn.SOCKET
    ear = (
        Socket(app, settings.slack_app_token.get_secret_value())
        if is_socket
        else Front(settings, parts.db, app.dispatch)
    )
    serve_health("bot", settings, parts.db, is_ready=ear.unready)
    if introduce(chat, stop):
        refuse_another(parts.db, chat)
        homes.keep_fresh(stop)
        ear.run(stop, on_ready=_ready)
    chat.close()
    parts.db.close()


def serve_many(settings: Settings, stop: Event) -> None:
    """For every workspace that has Standby, and for those that get it. Raises SettingsError."""
    from bot.processes.installed import Installed  # noqa: PLC0415  nobody else needs what these load
    from bot.processes.installed_apps import Apps  # noqa: PLC0415
    from bot.slack.installs import Installs  # noqa: PLC0415
    from bot.slack.switchboard import Switchboard  # noqa: PLC0415

    check(settings)
    installed = Installed(settings)
    apps = Apps(installed)
    installs = Installs(installed.control, settings)
    front = Front(settings, installed.control, Switchboard(apps.at, apps.removed).dispatch, installs)
    serve_health("bot", settings, installed.control, is_ready=front.unready)
    apps.keep_fresh(stop)
    front.run(stop, on_ready=_ready)
    apps.close()
    installed.close()


def _ready() -> None:
    print("standby bot ready", flush=True)


def introduce(chat: SlackChat, stop: Event) -> bool:
    """Learn who we are; wait where Slack is not there yet. False when it is time to stop. Raises ChatRefused."""
    while not stop.is_set():
        try:
            log.info("connected", team=chat.team_id, user=chat.bot_user_id)
            return True
        except ChatRefused:
            raise
        except ChatError as error:
            log.warning("waiting_for_slack", reason=str(error))
            stop.wait(RETRY_S)
    return False


if __name__ == "__main__":
    main()
