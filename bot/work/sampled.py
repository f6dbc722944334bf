"""The first step of trying a version: a fresh box with the files in it, and a sample of each."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bot.work.parts import JobParts
from bot.work.progress import Progress
from bot.work.shaped import AROUND_S
from library.manifest import Limits
from sandbox.execute import StagedBox, stage
from sandbox.sample import Sample, sample_files


@contextmanager
def sampled(
    parts: JobParts,
    paths: Mapping[str, Path],
    limits: Limits,
    progress: Progress,
    step: str,
    *,
    purpose: str,
    tags: Mapping[str, str],
) -> Iterator[tuple[StagedBox, list[Sample]]]:
    """The box lives for two runs within `limits`; people see `step` until the samples are there.

    Raises BoxError and SampleFailed.
    """
    with parts.boxes.open(purpose, tags=tags, lifetime_s=limits.time_s * 2 + AROUND_S) as box:
        with progress.step(step):
            staged = stage(box, paths, parts.blobs.open, progress.sending)
            samples = sample_files(box, list(paths))
        yield staged, samples
