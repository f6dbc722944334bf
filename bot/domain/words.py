"""The closed sets of Standby's vocabulary: states, kinds and verbs, each with what it means."""

from enum import StrEnum
from typing import NewType

Digest = NewType("Digest", str)
"""sha256 over a whole plan folder, 64 hex digits."""


class TaskState(StrEnum):
    NEW = "new"  # asked, nobody has looked yet
    ASKING = "asking"  # a question to the requester is open
    PROPOSED = "proposed"  # a card was posted
    ANSWERED = "answered"  # asked once, and answered; a mention in its thread goes on from there
    STUCK = "stuck"  # said in words why no plan came of it; a reply starts it again


class SaidKind(StrEnum):
    REPLY = "reply"  # a message in a task's thread
    FORM = "form"  # typed into the form of a button
    CHANGE = "change"  # a reply was changed to this, or taken back: then it is empty
    REQUEST = "request"  # the request itself was changed to this


class RoutineState(StrEnum):
    DRAFT = "draft"  # no version approved yet: nothing runs
    ACTIVE = "active"  # runs at its slots
    PAUSED = "paused"  # no run until somebody resumes it
    RETIRED = "retired"  # over for good


class PlanState(StrEnum):
    DRAFT = "draft"  # written, not yet shown to people
    PROPOSED = "proposed"  # on an open card
    APPROVED = "approved"  # a teammate approved exactly these bytes
    REJECTED = "rejected"  # a teammate said no: it will never run
    REPLACED = "replaced"  # a newer version took its place before a decision
    EXPIRED = "expired"  # nobody decided in time


class CardState(StrEnum):
    OPEN = "open"  # waits for a decision
    APPROVED = "approved"  # decided
    REJECTED = "rejected"  # decided
    REPLACED = "replaced"  # a newer card took its place
    EXPIRED = "expired"  # nobody decided in time


class Verb(StrEnum):
    APPROVE = "approve"
    APPROVE_WITHOUT = "approve_without"  # the second press where a version lost or loosened a check: by the same person
    REJECT = "reject"
    ASK_CHANGES = "ask_changes"
    SHOW_ALL = "show_all"
    ANSWER = "answer"
    RERUN = "rerun"
    SKIP = "skip"
    PAUSE = "pause"
    KEEP = "keep"  # makes a routine of what was answered once
    MOVE = "move"  # puts a task on another rung
    SHOW_SENT = "show_sent"  # what was sent to the model, word for word
    SEND_ANYWAY = "send_anyway"  # an unknown delivery is sent again, though it may be there already
    ARRIVED = "arrived"  # an unknown delivery is known to be there
    GO_ON = "go_on"  # grants the model another budget for this thread


class SlotState(StrEnum):
    DUE = "due"  # not ended: a run is queued or under way
    DELIVERING = "delivering"  # not ended: the run reported, deliveries are under way
    DELIVERED = "delivered"  # every destination has the report
    HALTED = "halted"  # a surprise withheld the report
    FAILED = "failed"  # a script error or a fault that persisted
    SKIPPED = "skipped"  # deliberately not run; the reason is kept
    BLOCKED = "blocked"  # could not start: nothing approved, digest differs, nobody to ask
    UNKNOWN = "unknown"  # some delivery may or may not have been sent; somebody was told


class RunState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    REPORTED = "reported"
    HALTED = "halted"
    FAILED = "failed"
    LOST = "lost"


class DeliveryState(StrEnum):
    PENDING = "pending"  # nobody has started to send
    SENDING = "sending"  # claimed: from here on it may have been sent
    SENT = "sent"  # with proof: Slack's ts, or the mail server's reply
    FAILED = "failed"  # refused for certain
    UNKNOWN = "unknown"  # may have been sent; a person decides


class SurpriseState(StrEnum):
    OPEN = "open"  # waits for a new version or a person
    ANSWERED = "answered"  # a version or a decision answered it


class Cause(StrEnum):
    SURPRISE = "surprise"  # a check heard the world change
    SCRIPT_ERROR = "script error"  # the script itself broke
    FAULT = "fault"  # source, box or delivery: never wakes the agent
