"""How long a card waits, and how many may wait at a time."""

from datetime import timedelta

# What nobody decided on for so long is not what anybody waits for any more.
EXPIRES_AFTER = timedelta(days=14)
# One reminder, and no second: whoever is nagged presses without reading.
REMINDS_AFTER = timedelta(days=2)
# More cards at a time, in one channel, are not read any more.
MOST_OPEN = 20
