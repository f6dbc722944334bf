"""The only door to Slack: what arrives goes to `bot.work`, what leaves comes through the Chat port."""
