"""What a plan leaves out cannot surprise it: such files are neither drifted in a rehearsal nor listened to."""

from dataclasses import replace

from bot.work.rehearsal import read_by
from library.facts import FileFacts, FileKind
from library.manifest_text import read_manifest
from sandbox.sample import Sample
from tests.slack.proposals import MANIFEST

NAMES = ("kiln.log", "app-2026-11-23.log", "press.log")


def test_files_that_a_plan_leaves_out_are_not_its_to_hear():
    manifest = read_manifest(MANIFEST.encode())
    samples = [Sample(FileFacts(name, 10, FileKind.TEXT_LOG)) for name in NAMES]

    thinned = replace(manifest, parameters={"leave_out": ["kiln.log", "app-2026-[0-9][0-9]-[0-9][0-9].log"]})

    assert [one.name for one in read_by(manifest, samples)] == list(NAMES)
    assert [one.name for one in read_by(thinned, samples)] == ["press.log"]
