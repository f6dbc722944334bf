"""What must hold at whoever provides boxes: `pytest tests/contracts`, here or with `--box=e2b` at hosted E2B."""
