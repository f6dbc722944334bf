"""`python -m sandbox.template.build`: builds the hosted template with the key in E2B_API_KEY; --show only says it."""

from __future__ import annotations

import argparse
import os
import sys

import e2b

from sandbox.client import HOSTED_API, translated
from sandbox.errors import BoxError
from sandbox.template.recipe import Recipe, recipe


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sandbox.template.build", description=__doc__)
    parser.add_argument("--name", default="standby", help="the template's name at E2B")
    parser.add_argument("--show", action="store_true", help="only say what would be built")
    options = parser.parse_args(arguments)
    wanted = recipe()
    full_name = f"{options.name}:{wanted.tag}"
    print(_words(full_name, wanted))
    if options.show:
        return 0
    if not (key := os.environ.get("E2B_API_KEY", "")):
        print("E2B_API_KEY is not set, so nothing was built. Set it to the key of your E2B team.", file=sys.stderr)
        return 1
    try:
        _build(key, full_name, wanted)
    except BoxError as error:
        print(error, file=sys.stderr)
        return 1
    print(
        f"Built. Set STANDBY_BOX_TEMPLATE={full_name}, then: uv run pytest tests/contracts --box=e2b "
        f"--box-template={full_name}"
    )
    return 0


def _build(key: str, full_name: str, wanted: Recipe) -> None:
    """Raises BoxError. Takes minutes; what E2B says meanwhile is printed."""
    template = e2b.Template().from_python_image(wanted.python).pip_install(list(wanted.packages))
    with translated(f"template {full_name}", opening=True):
        e2b.Template.build(
            template,
            full_name,
            cpu_count=wanted.cpu_count,
            memory_mb=wanted.memory_mb,
            on_build_logs=lambda entry: print(entry.message),
            api_key=key,
            api_url=HOSTED_API,
        )


def _words(name: str, wanted: Recipe) -> str:
    size = f"{wanted.cpu_count} CPUs, {wanted.memory_mb} MB"
    return f"{name}: Python {wanted.python} with {', '.join(wanted.packages)} ({size})"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
