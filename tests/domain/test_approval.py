"""Who may press what: every verb by every role on every state of a card, written out as a table."""

from dataclasses import replace
from itertools import product

import pytest

from bot.domain.approval import Cast, Rules, Shown, refusal
from bot.domain.people import Person
from bot.domain.words import CardState, Digest, Verb

TEAM = "T1"
NOW, OLD = Digest("a" * 64), Digest("b" * 64)


def person(user_id: str, **also: bool) -> Person:
    return Person(user_id=user_id, team_id=TEAM, name=user_id.lower(), **also)


# Alice asked, Frank wrote this version, Olga answers for the routine, Bob and Gina are on the list (Gina guided
# the draft), Dora is a member and nothing else.
PEOPLE = {
    "requester": person("ALICE"),
    "requester on the list": person("ALICE"),
    "author": person("FRANK"),
    "author on the list": person("FRANK"),
    "owner": person("OLGA"),
    "approver": person("BOB"),
    "guide on the list": person("GINA"),
    "member": person("DORA"),
    "guest on the list": person("BOB", is_guest=True),
    "stranger on the list": person("BOB", is_stranger=True),
    "from another workspace, on the list": replace(person("BOB"), team_id="T2"),
    "deactivated, on the list": person("BOB", is_deleted=True),
    "bot on the list": person("BOB", is_bot=True),
}
CAST = Cast(team_id=TEAM, requester_id="ALICE", author_id="FRANK", owner_id="OLGA")
LISTED = Rules(frozenset({"BOB", "GINA"}))
NOBODY = Rules(frozenset())
SOLO = Rules(LISTED.approvers | {"ALICE", "FRANK"}, is_solo=True)
OPEN = Shown(CardState.OPEN, NOW, NOW)

DECIDING = (Verb.APPROVE, Verb.APPROVE_WITHOUT, Verb.REJECT, Verb.ASK_CHANGES)
INSTRUCTING = (Verb.RERUN, Verb.SKIP, Verb.PAUSE, Verb.GO_ON, Verb.SEND_ANYWAY, Verb.ARRIVED)
ANYBODY = (Verb.SHOW_ALL, Verb.SHOW_SENT, Verb.ANSWER, Verb.KEEP, Verb.MOVE)
OUTSIDE = (
    "guest on the list", "stranger on the list", "from another workspace, on the list", "deactivated, on the list",
    "bot on the list",
)  # fmt: skip

# Role -> the verbs that count on an open card, with a list of approvers that is not empty.
ALLOWED = {
    "requester": {Verb.REJECT, Verb.ASK_CHANGES, *INSTRUCTING, *ANYBODY},
    "requester on the list": {Verb.REJECT, Verb.ASK_CHANGES, *INSTRUCTING, *ANYBODY},
    "author": {Verb.REJECT, Verb.ASK_CHANGES, *ANYBODY},
    "author on the list": {Verb.REJECT, Verb.ASK_CHANGES, *INSTRUCTING, *ANYBODY},
    "owner": {*INSTRUCTING, *ANYBODY},
    "approver": set(Verb),
    "guide on the list": set(Verb),
    "member": set(ANYBODY),
    **{role: set() for role in OUTSIDE},
}


def rules_for(role: str) -> Rules:
    """The list, with whoever the role says is on it."""
    also = PEOPLE[role].user_id if role.endswith("on the list") else "BOB"
    return Rules(LISTED.approvers | {also})


def test_the_table_names_every_role():
    assert ALLOWED.keys() == PEOPLE.keys()


@pytest.mark.parametrize(("role", "verb"), list(product(PEOPLE, Verb)))
def test_an_open_card_takes_the_presses_of_the_table(role: str, verb: Verb):
    said = refusal(verb, PEOPLE[role], CAST, rules_for(role), OPEN)

    assert (said == "") == (verb in ALLOWED[role]), said
    assert said == "" or "Nothing was" in said or "changed nothing" in said


@pytest.mark.parametrize(("role", "verb"), list(product(PEOPLE, DECIDING)))
@pytest.mark.parametrize("state", [state for state in CardState if state is not CardState.OPEN])
def test_a_card_that_is_not_open_takes_no_decision_from_anybody(role: str, verb: Verb, state: CardState):
    said = refusal(verb, PEOPLE[role], CAST, rules_for(role), Shown(state, NOW, NOW, "Approved by Bob"))
    assert said != ""


@pytest.mark.parametrize(("role", "verb"), list(product(PEOPLE, DECIDING)))
def test_a_card_whose_bytes_are_no_longer_those_stored_takes_no_decision(role: str, verb: Verb):
    said = refusal(verb, PEOPLE[role], CAST, rules_for(role), Shown(CardState.OPEN, OLD, NOW))
    assert said != ""


@pytest.mark.parametrize(("role", "verb"), list(product(PEOPLE, DECIDING)))
def test_an_empty_list_allows_nobody(role: str, verb: Verb):
    assert refusal(verb, PEOPLE[role], CAST, NOBODY, OPEN) != ""


@pytest.mark.parametrize(("role", "verb"), list(product(PEOPLE, DECIDING)))
def test_solo_mode_lets_those_on_the_list_approve_their_own_and_nobody_else(role: str, verb: Verb):
    is_listed = role not in OUTSIDE and PEOPLE[role].user_id in SOLO.approvers
    assert (refusal(verb, PEOPLE[role], CAST, SOLO, OPEN) == "") == is_listed


@pytest.mark.parametrize(("role", "verb"), list(product(PEOPLE, DECIDING)))
def test_an_empty_list_allows_nobody_in_solo_mode_either(role: str, verb: Verb):
    assert refusal(verb, PEOPLE[role], CAST, Rules(frozenset(), is_solo=True), OPEN) != ""


@pytest.mark.parametrize("verb", [*DECIDING, *INSTRUCTING])
@pytest.mark.parametrize("listed", [frozenset(), frozenset({"GINA"})])
def test_a_group_that_cannot_be_read_just_now_is_nobody_and_said_to_be_unread(verb: Verb, listed: frozenset[str]):
    unread = Rules(listed, is_unread=True)
    assert "Slack does not tell me just now who is in a group" in refusal(verb, PEOPLE["approver"], CAST, unread, OPEN)
    assert "Guests cannot" in refusal(verb, PEOPLE["guest on the list"], CAST, unread, OPEN)
    assert (refusal(verb, PEOPLE["guide on the list"], CAST, unread, OPEN) == "") == bool(listed)


def test_a_group_that_cannot_be_read_lets_nobody_approve_their_own():
    unread = Rules(frozenset(), is_unread=True)
    assert refusal(Verb.APPROVE, PEOPLE["requester"], CAST, unread, OPEN).startswith("You asked for this")
    assert refusal(Verb.REJECT, PEOPLE["requester"], CAST, unread, OPEN) == ""


@pytest.mark.parametrize("verb", DECIDING)
@pytest.mark.parametrize(
    "shown", [Shown(CardState.APPROVED, NOW, NOW), Shown(CardState.REPLACED, NOW, NOW), Shown(CardState.OPEN, OLD, NOW)]
)
def test_not_even_solo_mode_decides_on_a_stale_card(verb: Verb, shown: Shown):
    assert refusal(verb, PEOPLE["approver"], CAST, SOLO, shown) != ""


@pytest.mark.parametrize("verb", INSTRUCTING)
def test_an_old_card_does_not_keep_anybody_from_instructing_a_routine(verb: Verb):
    assert refusal(verb, PEOPLE["owner"], CAST, LISTED, Shown(CardState.APPROVED, NOW, NOW)) == ""


def test_a_version_that_the_library_wrote_has_no_author_to_refuse():
    library = replace(CAST, author_id="")
    assert refusal(Verb.APPROVE, PEOPLE["approver"], library, LISTED, OPEN) == ""
    assert refusal(Verb.APPROVE, person(""), library, LISTED, OPEN) != ""


def test_who_asked_and_wrote_may_not_approve_even_if_also_the_owner_and_alone_on_the_list():
    alice_everything = Cast(TEAM, "ALICE", "ALICE", "ALICE")
    alone = Rules(frozenset({"ALICE"}))
    said = refusal(Verb.APPROVE, PEOPLE["requester"], alice_everything, alone, OPEN)
    assert said.startswith("You asked for this, so a teammate has to approve it. Nothing was approved.")
    for one in (said, refusal(Verb.APPROVE, PEOPLE["member"], alice_everything, alone, OPEN)):
        assert "Nobody else is on the list of approvers, so nobody can approve it yet" in one


SENTENCES = {
    "another's card": (Verb.APPROVE, "member", OPEN, "You are not on the list of approvers. Nothing was changed."),
    "own request": (Verb.APPROVE, "requester", OPEN, "You asked for this, so a teammate has to approve it."),
    "own script": (Verb.APPROVE, "author", OPEN, "You wrote this script, so a teammate has to approve it."),
    "stranger": (Verb.APPROVE, "stranger on the list", OPEN, "You are not a member of this workspace"),
    "guest": (Verb.APPROVE, "guest on the list", OPEN, "Guests cannot decide here."),
    "decided": (
        Verb.APPROVE, "approver", Shown(CardState.APPROVED, NOW, NOW, "approved by Gina at 09:12"),
        "This was decided already: approved by Gina at 09:12. Your press changed nothing.",
    ),
    "replaced": (Verb.APPROVE, "approver", Shown(CardState.REPLACED, NOW, NOW), "A newer version took the place"),
    "altered": (Verb.APPROVE, "approver", Shown(CardState.OPEN, OLD, NOW), "no longer what this card showed"),
    "not theirs": (Verb.PAUSE, "member", OPEN, "Only the owner of this routine or an approver may do this."),
}  # fmt: skip


@pytest.mark.parametrize("case", SENTENCES)
def test_a_refusal_says_why(case: str):
    verb, role, shown, says = SENTENCES[case]
    assert says in refusal(verb, PEOPLE[role], CAST, LISTED, shown)
