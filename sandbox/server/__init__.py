"""The embedded box server: speaks E2B's wire on 127.0.0.1 and runs every command in a jail."""
