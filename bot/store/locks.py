"""The numbers of all advisory locks, in one place: two of the same number would wait for each other."""

MIGRATION = 7305_0001  # two releases migrate one after the other
HISTORY = 7305_0002  # writers of the audit chain queue up, so that it has no fork
LEADER = 7305_0003  # one clock works at a time
SPENDING = 7305_0021  # one decision about money at a time
# The first of a pair; the second number is a place, or stands for a channel.
BOX_PLACES = 73_051
MODEL_PLACES = 73_052
CHANNEL_LINE = 73_053
