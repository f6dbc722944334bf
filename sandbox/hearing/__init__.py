"""The hearing test: whether a plan notices each of the drifts that could befall its inputs."""

from sandbox.hearing.ears import Ear, Hearing, Verdict
from sandbox.hearing.listen import HearingFailed, heard

__all__ = ["Ear", "Hearing", "HearingFailed", "Verdict", "heard"]
