"""The contract of a box: what must hold at any provider, shown here against the embedded server."""
