"""Which test shows which further row of the threat model: TM, time; DB, rows; SL, Slack; EM, mail; OP, operation."""

from __future__ import annotations

from typing import Final

_SLOTS, _TERMS, _UNSURE = "domain/test_slots.py", "work/test_slot_terms.py", "work/test_unsure.py"
_CRASH, _CHAT = "flows/test_crash_points.py", "slack/test_chat.py"

CLAIMED: Final[dict[str, tuple[str, ...]]] = {
    # an hour that does not exist
    "TM-01": (
        "domain/test_slots_everywhere.py::test_slots_around_every_change_are_those_of_the_walk",
        "domain/test_rules.py::test_a_change_of_clocks_that_matters_is_said_in_advance",
    ),
    # an hour that comes twice
    "TM-02": (
        f"{_SLOTS}::test_a_repeated_hour_is_met_once_at_its_first_pass",
        f"{_SLOTS}::test_every_hour_means_every_hour_that_passes",
    ),
    # a generator that stands still
    "TM-03": (f"{_SLOTS}::test_after_goes_strictly_forward", f"{_SLOTS}::test_a_day_that_never_comes_is_said"),
    # down over a slot
    "TM-04": (f"{_TERMS}::test_after_downtime_the_last_slot_runs_late_within_the_window_of_its_plan",),
    # two schedulers
    "TM-05": ("store/test_runs.py::test_of_many_clocks_that_wake_for_a_slot_one_makes_it",),
    # a run that outlasts its interval
    "TM-07": (f"{_TERMS}::test_a_slot_that_comes_while_the_one_before_runs_is_skipped_and_said_once",),
    # a schedule that dies quietly
    "TM-08": (
        "work/test_mend.py::test_a_due_slot_whose_job_is_gone_gets_one_and_no_second",
        "work/test_ping.py::test_the_clock_pings_that_it_began_and_that_it_minds_its_slots",
    ),
    # calendars and rules of zones that change
    "TM-09": (
        f"{_SLOTS}::test_a_month_is_never_left_out",
        f"{_TERMS}::test_a_slot_that_new_rules_of_a_zone_or_calendar_moved_is_said_and_the_routine_goes_on",
    ),
    # killed between any two steps
    "DB-01": (f"{_CRASH}::test_whoever_dies_at_any_moment_nothing_is_lost_or_doubled",),
    # writes that fail
    "DB-02": ("work/test_writes_fail.py::test_every_write_of_a_week_may_fail",),
    # a database of last week
    "DB-03": ("work/test_restored.py::test_DB_03_a_restored_old_database_delivers_nothing_again",),
    # power loss
    "DB-05": (
        "store_engine/test_embedded.py::test_it_listens_on_a_private_socket_alone_and_writes_through_to_the_disk",
    ),
    # the schema of another release
    "DB-07": (
        "processes/test_schema.py::test_DB_07_a_process_refuses_the_schema_of_another_release",
        "store/test_migrations.py::test_a_migration_that_breaks_off_leaves_nothing_behind",
    ),
    # an event that comes before its file
    "SL-02": ("slack/test_files.py::test_fewer_bytes_than_the_record_says_are_worth_another_try",),
    # the same event again
    "SL-03": ("slack/test_messages.py::test_a_request_becomes_one_task_with_all_files_however_its_events_come",),
    # a crash after the acknowledgement
    "SL-04": ("slack/test_messages.py::test_an_event_is_acknowledged_only_when_its_rows_are_safe",),
    # a busy Slack
    "SL-05": (
        f"{_CHAT}::test_a_short_rate_limit_is_waited_for_in_the_order_of_the_channel",
        f"{_TERMS}::test_a_late_report_says_how_late_it_began",
    ),
    # an answer that is lost
    "SL-06": (f"{_CHAT}::test_a_lost_reply_is_unclear_and_the_post_is_found_not_repeated",),
    # an upload that does not appear
    "SL-07": (f"{_UNSURE}::test_SL_07_a_file_that_slack_took_and_never_shows_is_told",),
    # removed, archived, revoked
    "SL-08": (
        "flows/test_unreachable.py::test_a_closed_channel_is_told_to_owner_and_approver_and_pauses_the_routine",
        "flows/test_unreachable.py::test_a_revoked_token_pauses_the_routine_and_is_told_once_the_app_is_back",
    ),
    # a mail that may have been sent
    "EM-03": (f"{_UNSURE}::test_it_is_told_with_both_buttons_and_never_sent_again_by_itself",),
    # secrets in logs
    "OP-01": ("domain/test_redact.py::test_logs_of_ours_and_of_libraries_hold_no_secret",),
    # data that is kept for ever
    "OP-03": ("work/test_tidy.py::test_inputs_go_after_their_time_and_approvals_stay",),
}

OPEN: Final[dict[str, str]] = {
    "TM-06": "a clock that steps back makes no slot twice, as its row is unique; no test moves a clock back",
    "TM-10": "a cell with second 60 is the kit's readers' to refuse; schedules know no seconds",
    "DB-04": "jobs come back and find their rows; no test cuts the line right after a commit",
    "DB-06": "there is no pickle: APScheduler keeps nothing; no test scans the columns",
    "SL-09": "rows decide between two instances; a gap of the socket is in the log alone",
    "EM-01": "the standard library refuses line breaks in headers, and subjects are joined to one line; no property",
    "EM-02": "addresses are the manifest's, on the card and under its digest; no property over odd addresses",
    "EM-04": "one refused recipient refuses the mail for all: nothing is half sent, and it is told",
    "OP-02": "cards in a channel are few at a time and the model has budgets; requests themselves have no quota",
    "OP-04": "every key has the workspace in it; no test runs two workspaces on one database",
}
