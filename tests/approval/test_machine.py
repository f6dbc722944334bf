"""Whatever people, workers, crashes and meddlers do: only what a teammate approved runs, and it is delivered once."""

from tests.approval.try_machine import try_machine


def test_nothing_runs_or_is_delivered_that_may_not(database_url: str) -> None:
    try_machine(database_url, examples=2)
