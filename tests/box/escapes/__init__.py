"""Hostile scripts and what they are after: each is run in a real box, and then it is looked what got out."""

from tests.box.escapes import bombs, files, network, outputs, processes

ATTACKS = (*files.ATTACKS, *processes.ATTACKS, *network.ATTACKS, *outputs.ATTACKS, *bombs.ATTACKS)
