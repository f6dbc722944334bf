"""May this person press this button now? The one decision function behind every way in."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.people import Person
from bot.domain.words import CardState, Digest, Verb

APPROVING = frozenset({Verb.APPROVE, Verb.APPROVE_WITHOUT})
DECIDING = APPROVING | {Verb.REJECT, Verb.ASK_CHANGES}
INSTRUCTING = frozenset({Verb.RERUN, Verb.SKIP, Verb.PAUSE, Verb.GO_ON, Verb.SEND_ANYWAY, Verb.ARRIVED})
UNREAD = (
    "Slack does not tell me just now who is in a group of approvers, and I do not guess whether you are. Nothing was "
    "changed. Please try again in a minute."
)


@dataclass(frozen=True)
class Cast:
    """Who stands where around one version of a routine."""

    team_id: str
    requester_id: str
    author_id: str  # empty when the agent or the library wrote the bytes
    owner_id: str


@dataclass(frozen=True)
class Rules:
    """Who may approve. An empty list allows nobody.

    Solo mode, an explicit setting, lets those on the list approve what they asked for or wrote; nobody else.
    """

    approvers: frozenset[str]
    is_solo: bool = False
    is_unread: bool = False  # Slack does not say just now who is in one of its groups: those are nobody


@dataclass(frozen=True)
class Lists:
    """Who may approve where: everywhere under "", else under a channel's id, or CHANNEL/ROUTINE. The nearest counts.

    `unread` are those with a group of which Slack does not say just now who is in it.
    """

    people: Mapping[str, frozenset[str]]
    is_solo: bool = False
    unread: frozenset[str] = frozenset()

    def of(self, channel_id: str, routine: str = "") -> Rules:
        """The rules for a routine of that channel; nobody where its list is not known."""
        for key in (f"{channel_id}/{routine}", channel_id, ""):
            if key in self.people:
                return Rules(self.people[key], self.is_solo, is_unread=key in self.unread)
        return Rules(frozenset(), self.is_solo)


@dataclass(frozen=True)
class Shown:
    """What the pressed card showed, beside what is stored now. `is_retired`: its routine is over for good."""

    state: CardState
    digest: Digest
    digest_now: Digest
    decided_words: str = ""
    is_retired: bool = False


def refusal(verb: Verb, person: Person, cast: Cast, rules: Rules, shown: Shown) -> str:
    """Say why this press changes nothing, as a sentence for the presser; empty means it may count."""
    return _stranger(person, cast) or _stale(verb, shown) or _unlisted(verb, person, cast, rules)


def may_instruct(person: Person, cast: Cast, rules: Rules) -> str:
    """Why this person may not tell a routine what to do (pause, resume, run now, ...); empty means that they may."""
    return _stranger(person, cast) or _uninvolved(person, cast, rules)


def may_read(person: Person, team_id: str) -> str:
    """Why the pages of a plan, or what was sent to a model, are not shown to this person; empty means that they are.

    They hold the script, addresses and samples of data in full. A card, which the whole channel sees, holds less.
    """
    if not _stranger(person, Cast(team_id, "", "", "")):
        return ""
    return (
        "These pages are for members of this workspace: they hold the whole plan, with addresses and samples of the "
        "data. The card shows what is decided on; ask somebody of this workspace for what you miss there."
    )


def may_vouch(person: Person, cast: Cast, rules: Rules) -> bool:
    """Whether this person could have approved the version, and so may stand for it where whoever did left."""
    return not _stranger(person, cast) and not _unlisted(Verb.APPROVE, person, cast, rules)


def _uninvolved(person: Person, cast: Cast, rules: Rules) -> str:
    if person.user_id in (cast.owner_id, cast.requester_id) or person.user_id in rules.approvers:
        return ""
    if rules.is_unread:
        return UNREAD
    return "Only the owner of this routine or an approver may do this. Nothing was changed."


def _stranger(person: Person, cast: Cast) -> str:
    if person.is_bot:
        return "A bot cannot decide. Nothing was changed."
    if person.is_deleted:
        return "This account is deactivated. Nothing was changed."
    if person.is_stranger or person.team_id != cast.team_id:
        return "You are not a member of this workspace, so you cannot decide here. Nothing was changed."
    if person.is_guest:
        return "Guests cannot decide here. Ask a full member of this workspace. Nothing was changed."
    return ""


def _stale(verb: Verb, shown: Shown) -> str:
    if verb not in DECIDING:
        return ""
    if shown.is_retired and verb is not Verb.REJECT and shown.state in (CardState.OPEN, CardState.REPLACED):
        return (
            "This routine was retired, so no version of it can be approved or changed. Nothing was changed; to have it "
            "again, ask for it anew with a mention of me at the top of a channel."
        )
    if shown.state is CardState.REPLACED:
        return "A newer version took the place of this card. Nothing was approved; look further down the thread."
    if shown.state is CardState.EXPIRED:
        return "Nobody decided on this card in time, so it expired. Nothing was changed; ask for a new one."
    if shown.state is not CardState.OPEN:
        return f"This was decided already: {shown.decided_words or shown.state}. Your press changed nothing."
    if shown.digest != shown.digest_now:
        return "What is stored is no longer what this card showed. Nothing was approved; ask for a new card."
    return ""


def _unlisted(verb: Verb, person: Person, cast: Cast, rules: Rules) -> str:
    if verb in INSTRUCTING:
        return _uninvolved(person, cast, rules)
    if verb not in DECIDING:
        return ""
    if not rules.approvers and not rules.is_unread:
        return (
            "Nobody may approve yet: the list of approvers is empty. Nothing was changed. "
            "An admin names approvers in STANDBY_APPROVERS, or in STANDBY_APPROVERS_OF for a channel or routine; "
            "`standby doctor` says what is missing."
        )
    is_alone = not (rules.is_solo or rules.is_unread) and not rules.approvers - {cast.requester_id, cast.author_id}
    if verb in APPROVING and not rules.is_solo:
        if person.user_id == cast.requester_id:
            return "You asked for this, so a teammate has to approve it. Nothing was approved." + _others(is_alone)
        if person.user_id == cast.author_id:
            return "You wrote this script, so a teammate has to approve it. Nothing was approved." + _others(is_alone)
    if verb not in APPROVING and person.user_id in (cast.requester_id, cast.author_id):
        return ""  # whoever asked or wrote may withdraw it or ask for another version
    if person.user_id not in rules.approvers:
        if rules.is_unread:
            return UNREAD
        whom = _others(is_alone) or " Ask one of them to decide."
        return f"You are not on the list of approvers. Nothing was changed.{whom}"
    return ""


def _others(is_alone: bool) -> str:
    """Where whoever could decide is whoever may not, somebody has to be added first."""
    return (
        " Nobody else is on the list of approvers, so nobody can approve it yet: an admin adds somebody in "
        "STANDBY_APPROVERS, or in STANDBY_APPROVERS_OF for a channel or routine."
        if is_alone
        else ""
    )
