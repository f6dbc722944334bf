"""Which test shows which further row of the threat model: TM, time; DB, rows; SL, Slack; EM, mail; OP, operation."""

from __future__ import annotations

from typing import Final

_SLOTS, _TERMS, _UNSURE = "domain/test_slots.py", "work/test_slot_terms.py", "work/test_unsure.py"
_LETTERS, _STEPS = "work/test_letters.py", "work/test_clock_steps.py"
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
    # a clock that is set forward or back
    "TM-06": (
        f"{_STEPS}::test_TM_06_a_clock_set_back_runs_no_slot_again",
        f"{_STEPS}::test_TM_06_a_clock_set_forward_is_downtime_and_back_again_is_nothing",
        f"{_STEPS}::test_TM_06_nobody_is_condemned_after_the_clock_jumped_until_they_had_time_to_be_heard",
    ),
    # second 60
    "TM-10": (
        "kit/test_second_60.py::test_TM_10_a_cell_with_second_60_is_a_surprise",
        "kit/test_second_60.py::test_TM_10_no_stamp_of_a_log_with_second_60_ends_the_reading",
    ),
    # a commit whose answer is lost
    "DB-04": (
        "work/test_commits_lost.py::test_DB_04_whichever_answer_is_lost_the_report_is_there_once",
        "work/test_commits_lost.py::test_DB_04_a_press_whose_answer_was_lost_counts_once",
    ),
    # pickles
    "DB-06": (
        "store/test_no_pickles.py::test_DB_06_no_source_of_ours_can_read_or_write_a_pickle",
        "store/test_no_pickles.py::test_DB_06_no_column_holds_bytes_but_those_of_plans_and_drafts",
    ),
    # two listeners, and none
    "SL-09": (
        "slack/test_messages.py::test_SL_09_of_two_bots_that_hear_the_same_one_takes_it",
        "slack/test_socket.py::test_SL_09_a_time_without_a_connection_is_counted_and_seen",
    ),
    # line breaks in headers
    "EM-01": (f"{_LETTERS}::test_EM_01_whatever_the_words_the_mail_has_the_headers_that_are_meant",),
    # smuggled recipients
    "EM-02": (f"{_LETTERS}::test_EM_02_an_address_is_one_recipient_or_refused_when_the_plan_is_read",),
    # one recipient, or the size
    "EM-04": (
        f"{_LETTERS}::test_one_wrong_address_keeps_nobody_else_from_the_report",
        f"{_UNSURE}::test_EM_04_a_mail_too_large_goes_without_its_files_which_are_brought_to_the_thread",
    ),
    # a flood of requests
    "OP-02": (
        "work/test_quota.py::test_OP_02_of_a_hundred_requests_of_one_person_some_are_taken_and_one_refusal_is_said",
    ),
    # two workspaces
    "OP-04": (
        "slack/test_workspace.py::test_OP_04_a_token_of_another_workspace_begins_nothing_on_these_rows",
        "slack/test_workspace.py::test_OP_04_what_is_alike_in_two_workspaces_is_kept_apart",
    ),
}
