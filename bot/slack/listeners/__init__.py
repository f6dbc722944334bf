"""Listeners, one file per surface: read the payload, one call into bot.work, acknowledge."""
