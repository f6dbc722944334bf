"""Which test shows which row of the threat model: AP, approval; IN, injection; SL, Slack. Every row has one."""

from __future__ import annotations

from typing import Final

_VERIFY, _MACHINE, _CARDS = "approval/test_verify.py", "approval/test_machine.py", "approval/test_cards_end.py"
_WHO, _GATE, _FACTS = "domain/test_approval.py", "domain/test_gate.py", "domain/test_facts.py"
_PRESS, _LAYOUT, _TOOLS = "slack/test_presses.py", "slack/test_cards_properties.py", "agent/test_tools.py"

CLAIMED: Final[dict[str, tuple[str, ...]]] = {
    # code changes between approval and run
    "AP-01": (
        f"{_VERIFY}::test_a_byte_of_any_file_voids_what_was_approved",
        "contracts/test_boxes.py::test_bytes_that_were_not_approved_do_not_run",
        f"{_MACHINE}::test_nothing_runs_or_is_delivered_that_may_not",
    ),
    # an old card after a newer draft
    "AP-02": (
        "approval/test_rows.py::test_AP_02_an_older_card_decides_nothing_once_a_newer_version_is_proposed",
        f"{_MACHINE}::test_nothing_runs_or_is_delivered_that_may_not",
    ),
    # a script longer than its card
    "AP-03": (
        f"{_LAYOUT}::test_approval_is_postable_and_approves_only_what_it_shows",
        f"{_LAYOUT}::test_pages_hold_every_byte_and_approve_only_at_the_end",
        f"{_PRESS}::test_a_long_script_is_approved_on_its_last_page_alone",
        f"{_CARDS}::test_pages_have_approve_for_those_who_may",
    ),
    # comments that execute
    "AP-04": (
        f"{_GATE}::test_bytes_that_read_otherwise_than_they_look_are_refused",
        "approval/test_rows.py::test_AP_04_hidden_code_planted_in_the_database_neither_counts_nor_runs",
    ),
    # characters that cannot be seen
    "AP-05": (
        f"{_GATE}::test_format_characters_are_refused",
        f"{_GATE}::test_variation_selectors_are_refused",
        f"{_GATE}::test_fillers_are_refused",
        f"{_GATE}::test_control_characters_are_refused",
        f"{_GATE}::test_private_characters_are_refused",
        f"{_GATE}::test_unassigned_code_points_are_refused",
        f"{_GATE}::test_line_and_paragraph_separators_are_refused",
        f"{_GATE}::test_code_between_letters_written_leftward_is_refused_because_it_is_shown_in_another_order",
        "approval/test_rows.py::test_AP_05_what_is_hidden_by_an_escape_in_the_manifest_is_refused",
    ),
    # look-alike names
    "AP-06": (
        f"{_GATE}::test_letters_outside_ascii_are_refused_where_python_reads_a_name",
        "slack/test_prose.py::test_AP_06_letters_that_look_like_others_are_named_on_the_card",
        "slack/test_prose.py::test_AP_06_so_are_those_in_what_is_set_for_a_script",
    ),
    # code pushed out of view
    "AP-07": (f"{_GATE}::test_code_pushed_out_of_view_is_refused", f"{_GATE}::test_both_sides_of_the_longest_gap"),
    # a summary that lies
    "AP-08": (
        "slack/test_prose.py::test_AP_08_what_the_code_imports_stands_above_a_summary_that_says_otherwise",
        "approval/test_rows.py::test_AP_08_a_card_shows_the_request_as_it_read_when_the_plan_was_made",
        "approval/test_rows.py::test_AP_08_what_a_card_shows_of_the_rehearsal_cannot_be_changed_behind_it",
        f"{_FACTS}::test_imports_are_listed_once_and_in_order",
        f"{_FACTS}::test_what_hides_from_a_reader_is_said",
    ),
    # approving one's own work
    "AP-09": (
        f"{_WHO}::test_an_open_card_takes_the_presses_of_the_table",
        "flows/test_decisions.py::test_only_the_teammate_decides_and_only_once",
        "approval/test_rows.py::test_AP_09_who_wrote_a_script_is_its_author_in_every_later_version_with_the_same_bytes",
    ),
    # outsiders, and lists that are empty or cannot be read
    "AP-10": (
        f"{_WHO}::test_an_open_card_takes_the_presses_of_the_table",
        "approval/test_rows.py::test_AP_10_an_empty_or_unreadable_list_means_nobody",
        "approval/test_rows.py::test_AP_10_a_channel_or_routine_with_a_list_of_its_own_is_decided_by_that_list_alone",
        "slack/test_people.py::test_AP_10_an_answer_that_leaves_open_who_it_is_makes_nobody_a_member",
        f"{_PRESS}::test_AP_10_where_nobody_can_say_who_pressed_nothing_is_decided",
        "flows/test_decisions.py::test_only_the_teammate_decides_and_only_once",
    ),
    # replayed and doubled presses
    "AP-11": (
        f"{_PRESS}::test_approve_counts_once_and_every_press_is_answered",
        "approval/test_rows.py::test_AP_11_a_press_that_comes_again_changes_nothing",
    ),
    # requests that Slack did not sign a moment ago, and clocks apart
    "AP-12": (
        "slack/test_signed.py::test_AP_12_what_slack_did_not_sign_a_moment_ago_is_not_read",
        "slack/test_signed.py::test_AP_12_a_clock_that_is_apart_from_slacks_is_told_in_seconds",
    ),
    # two decisions at the same instant
    "AP-13": ("approval/test_races.py::test_AP_13_one_of_two_presses_at_the_same_instant_counts",),
    # everything but the code changes
    "AP-14": (f"{_VERIFY}::test_AP_14_any_field_of_the_manifest_voids_what_was_approved",),
    # a fix that drops a check
    "AP-15": (
        f"{_CARDS}::test_AP_15_a_fix_that_drops_a_check_needs_the_same_persons_second_press",
        f"{_PRESS}::test_AP_15_a_loosened_check_is_confirmed_in_a_form_by_the_same_person",
        "domain/test_loosened.py::test_a_check_that_hears_less_is_named_with_what_makes_it",
        "approval/test_rows.py::test_AP_15_a_lasting_version_is_compared_with_the_one_whose_place_it_takes",
    ),
    # a button on another message
    "AP-16": (f"{_CARDS}::test_AP_16_a_button_counts_on_its_own_message_only",),
    # people who leave
    "AP-17": (
        "work/test_left.py::test_an_owner_or_approver_who_left_pauses_the_routine_and_is_told",
        "work/test_left.py::test_another_approver_stands_for_what_an_approver_who_left_approved",
    ),
    # altered history
    "AP-18": (
        f"{_VERIFY}::test_a_changed_row_is_named",
        "approval/test_rows.py::test_AP_18_a_routine_whose_approval_was_rewritten_stops",
        f"{_VERIFY}::test_an_entry_that_somebody_else_added_is_named_and_its_approval_runs_nothing",
        f"{_VERIFY}::test_a_tail_that_was_cut_off_is_named",
    ),
    # a flood of cards
    "AP-19": (f"{_CARDS}::test_AP_19_more_cards_than_anybody_reads_are_refused_in_words",),
    # instructions in data: no tool acts
    "IN-01": (
        "obedient/test_obedient.py::test_IN_01_instructions_in_data_come_to_nothing",
        "flows/test_obedient.py::test_IN_01_a_model_that_obeys_its_data_brings_a_card_and_no_act",
        f"{_TOOLS}::test_six_tools_in_a_fixed_order_with_strict_schemas",
        "architecture/test_imports.py::test_our_imports_keep_every_contract",
    ),
    # the same in names, headers, tracebacks
    "IN-02": (
        f"{_TOOLS}::test_data_cannot_close_its_fence",
        "obedient/test_obedient.py::test_IN_02_every_way_into_the_model_leads_to_no_act",
    ),
    # invisible text
    "IN-03": (
        f"{_TOOLS}::test_nothing_hidden_goes_to_a_model",
        f"{_TOOLS}::test_IN_03_how_much_cannot_be_seen_of_what_a_script_printed_is_said_to_the_model",
        "kit/test_sampler.py::test_IN_03_how_much_cannot_be_seen_is_counted_and_said_to_people_and_model",
        "slack/test_text.py::test_hidden_characters_are_written_out",
    ),
    # previews of links
    "IN-04": (
        "slack/test_chat.py::test_a_post_carries_its_key_and_unfurls_nothing",
        "slack/test_chat.py::test_IN_04_every_call_that_posts_or_rewrites_says_that_nothing_unfolds",
        f"{_LAYOUT}::test_report_is_postable_and_says_where_the_rest_is",
    ),
    # live mentions and fences
    "IN-05": (
        "slack/test_text.py::test_escaped_data_has_no_live_token",
        f"{_LAYOUT}::test_report_is_postable_and_says_where_the_rest_is",
        "slack/test_text.py::test_data_whose_reader_is_not_known_is_inert_in_every_reading_and_looks_the_same",
    ),
    # an agent that imitates Standby
    "IN-06": (
        "slack/test_prose.py::test_IN_06_an_answer_that_imitates_standby_is_text_below_its_label",
        f"{_LAYOUT}::test_other_cards_are_postable",
    ),
    # dripping through a file
    "IN-07": (
        f"{_TOOLS}::test_data_that_was_shown_counts_and_what_is_over_the_budget_is_not_shown",
        "agent/test_budget.py::test_a_loop_ends_at_its_cap_also_across_restarts",
    ),
    # keys in samples
    "IN-08": (
        f"{_TOOLS}::test_a_secret_in_the_data_never_leaves",
        "domain/test_redact.py::test_logs_of_ours_and_of_libraries_hold_no_secret",
    ),
    # strangers in the thread
    "IN-09": ("flows/test_model_fixes.py::test_a_reply_changes_the_fix_and_a_strangers_does_not",),
    # bots that answer each other
    "IN-10": (
        "slack/test_messages.py::test_what_standby_says_itself_is_not_heard",
        "slack/test_messages.py::test_what_nobody_asked_is_acknowledged_and_makes_no_task",
    ),
    # bad arguments of tools
    "IN-11": (f"{_TOOLS}::test_no_input_gets_anything_but_a_bounded_result",),
    # mails that load or lead elsewhere
    "IN-12": ("approval/test_rows.py::test_IN_12_a_mail_loads_and_leads_nowhere",),
    # formulas in delivered tables
    "IN-13": (
        "approval/test_rows.py::test_IN_13_no_cell_of_a_delivered_table_is_a_formula",
        "approval/test_rows.py::test_IN_13_nor_one_of_a_table_that_a_script_wrote_itself",
    ),
    # tokens for their owner's hosts
    "SL-01": (
        "slack/test_files.py::test_another_host_gets_no_request_and_no_token",
        "slack/test_files.py::test_a_redirect_is_never_followed",
    ),
}  # fmt: skip
