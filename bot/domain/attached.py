"""Files that no script can read, told by their names and types before a byte of them is fetched."""

from collections.abc import Iterable

_BY_TYPE = {"video": "a video", "audio": "a recording", "image": "a picture"}
_BY_ENDING = {
    **dict.fromkeys(("mp4", "mov", "avi", "mkv", "webm"), "a video"),
    **dict.fromkeys(("mp3", "wav", "m4a", "ogg", "flac"), "a recording"),
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp", "heic", "svg", "bmp", "tif", "tiff"), "a picture"),
    **dict.fromkeys(("pdf",), "a PDF"),
    **dict.fromkeys(("doc", "docx", "odt", "rtf", "pages"), "a text document"),
    **dict.fromkeys(("ppt", "pptx", "odp", "key"), "a presentation"),
    **dict.fromkeys(("html", "htm"), "a web page"),
    **dict.fromkeys(("zip", "7z", "rar", "tar", "tgz"), "an archive"),
    **dict.fromkeys(("exe", "dmg", "msi", "apk", "iso"), "a program"),
}
CAN_READ = "I read data: logs and other text, CSV, Excel, JSON lines and Parquet, also packed with gzip."
SHOWN = 5


def unreadable(files: Iterable[tuple[str, str]]) -> str:
    """What to tell people of (name, media type) pairs among which some are no data; empty where all may be."""
    named = [(name, kind) for name, mimetype in files if (kind := _kind(name, mimetype))]
    if not named:
        return ""
    shown = ", ".join(f"{name} is {kind}" for name, kind in named[:SHOWN])
    rest = f", and {len(named) - SHOWN} more are like that" if len(named) > SHOWN else ""
    it = "it" if len(named) == 1 else "them"
    return (
        f"{shown}{rest}. {CAN_READ} Nothing was made yet: delete {it} from this thread"
        f"{_instead({kind for _, kind in named})}, and write here again."
    )


def is_no_data(name: str, mimetype: str) -> bool:
    """Whether a file is such that no script reads it: a picture, a recording, a letter."""
    return bool(_kind(name, mimetype))


def _kind(name: str, mimetype: str) -> str:
    """What a file is in plain words, where it is no data; empty where it may be."""
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    return _BY_ENDING.get(ending) or _BY_TYPE.get(mimetype.partition("/")[0], "")


def _instead(kinds: set[str]) -> str:
    if kinds == {"an archive"}:
        return " and post the files that are in it"
    return " and post the data that it was made from" if kinds != {"a program"} else ""
