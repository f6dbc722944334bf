"""How many of something, as people write it."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """1 file, 1,200 files; `plural` where an s does not make it."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
