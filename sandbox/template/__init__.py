"""The hosted template: what a box at E2B must have installed, and the command that builds it."""
