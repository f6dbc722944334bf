"""The desk: a local, Slack-compatible workspace for trying Standby without Slack, and for tests.

It imports nothing of ours and knows only the wire: what Slack answers, the desk answers; what Slack refuses, the
desk refuses.
"""
