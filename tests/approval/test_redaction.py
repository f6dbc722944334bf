"""What goes wrong around a secret is told and kept without it."""

from sandbox.outcome import Surprised
from tests.approval.hands import finish, next_monday, press, proposed
from tests.approval.stage import Stage

CANARY = "xoxb-" + "123456789012-abcdefCANARY"


def test_no_canary_is_in_history_surprises_or_sentences(stage: Stage) -> None:
    # Given a routine whose data holds a token
    press(stage, proposed(stage))
    seen = Surprised("OddFile", f"a line says {CANARY}", seen=CANARY, expected="", file="a.log", rows=(CANARY,))

    # When its run halts on that line
    finish(stage, next_monday(stage), seen)

    # Then it is told and kept without the token
    for table in ("history", "surprise", "slot", "procrastinate_jobs"):
        rows = " ".join(row[0] for row in stage.rows(f"select {table}::text from {table}"))
        assert rows, table
        assert "CANARY" not in rows, table
