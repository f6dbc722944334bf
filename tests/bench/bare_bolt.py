"""The least that a bolt app can do: acknowledge each message. What an acknowledgement costs without us."""

import os
import signal
from threading import Event

from slack_bolt import Ack, App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

from bot.slack.socket import PING_S, WORKERS


def main() -> None:
    """Tokens and address come as variables; says `standby bare ready` when connected, ends with SIGTERM."""
    stop = Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    client = WebClient(token=os.environ["BARE_BOT_TOKEN"], base_url=os.environ["BARE_API_URL"])
    app = App(client=client, process_before_response=True, token_verification_enabled=False)

    def hear(ack: Ack) -> None:
        ack()

    app.event("message")(hear)
    app.event("app_mention")(hear)
    handler = SocketModeHandler(app, os.environ["BARE_APP_TOKEN"], ping_interval=PING_S, concurrency=WORKERS)
    handler.client.connect()
    print("standby bare ready", flush=True)
    stop.wait()
    handler.close()


if __name__ == "__main__":
    main()
