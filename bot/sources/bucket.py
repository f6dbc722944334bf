"""A bucket of S3, of Google, or of a server that speaks like S3."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bot.source_settings import SourceSettings
from bot.sources.errors import SourceChanged, SourceError, SourceRefused, SourceUnreachable
from bot.sources.hosts import checked_addresses
from bot.sources.place import PIECE, Entry, Reading

if TYPE_CHECKING:
    from obstore.store import ObjectStore

CONNECT_S = 15
TRIES = 2


class Bucket:
    """One bucket as a place; paths are its keys."""

    def __init__(self, source: SourceSettings, name: str, silence_s: float) -> None:
        self._source, self._name = source, name
        self._store = _store(source, name, silence_s)

    def entry(self, path: str) -> Entry | None:
        import obstore  # noqa: PLC0415  slow to load, and most runs need none
        from obstore.exceptions import NotFoundError  # noqa: PLC0415

        try:
            return _entry(obstore.head(self._store, path))
        except (NotFoundError, FileNotFoundError):  # which of them it is depends on the call
            self._must_exist(path)
            return None
        except Exception as error:
            raise self._named(path, error) from None

    def entries(self, path: str) -> Iterator[Entry]:
        import obstore  # noqa: PLC0415

        try:
            found = obstore.list_with_delimiter(self._store, path or None)
        except Exception as error:
            raise self._named(path, error) from None
        yield from (Entry(folder, is_folder=True) for folder in found["common_prefixes"])
        yield from (_entry(one) for one in found["objects"])

    @contextmanager
    def read(self, entry: Entry, start: int) -> Iterator[Reading]:
        import obstore  # noqa: PLC0415

        options: Any = {"if_match": entry.mark} if entry.mark.startswith('"') else {}
        if start:
            options["range"] = {"offset": start}
        if entry.size_bytes == 0:
            yield Reading(0, iter(()))
            return
        try:
            answer = obstore.get(self._store, entry.path, options=options)
        except Exception as error:
            raise self._named(entry.path, error) from None
        if _entry(answer.meta).mark != entry.mark:
            raise _changed(self._address(entry.path))
        yield Reading(answer.range[0], self._pieces(entry.path, answer))

    def _pieces(self, path: str, answer: Any) -> Iterator[bytes]:
        stream = iter(answer.stream(min_chunk_size=PIECE))
        while True:
            try:
                piece = next(stream, None)
            except Exception as error:
                raise self._named(path, error) from None
            if piece is None:
                return
            yield bytes(piece)

    def _must_exist(self, path: str) -> None:
        """A missing bucket answers like a missing file, and is another thing for whoever has to mend it."""
        next(iter(self.entries(path.rpartition("/")[0])), None)

    def _address(self, path: str) -> str:
        return f"{self._source.scheme}://{self._name}/{path}"

    def _named(self, path: str, error: Exception) -> SourceError:
        """Errors of the library carry the server's words, but no class for a wrong login or a missing bucket."""
        from obstore import exceptions  # noqa: PLC0415

        said = self._source.masked(str(error))
        address = self._address(path)
        if isinstance(error, exceptions.PreconditionError):
            return _changed(address)
        refused = ("AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "403 Forbidden", "401 Unauthorized")
        if isinstance(error, exceptions.PermissionDeniedError | exceptions.UnauthenticatedError) or any(
            word in said for word in refused
        ):
            return SourceRefused(
                f"{address} cannot be read with the login that settings have for it, so there is no report. "
                "An admin corrects user and password (the access key), or its rights, in STANDBY_SOURCES."
            )
        if isinstance(error, exceptions.NotFoundError | FileNotFoundError) or "NoSuchBucket" in said:
            return SourceError(f"There is no bucket {self._name}, so there is no report from it. Check its name.")
        if isinstance(error, exceptions.InvalidPathError | exceptions.NotSupportedError):
            return SourceError(f"{address} is no address that this bucket can have.")
        return SourceUnreachable(f"{address} could not be read: {_short(said)}")


def _store(source: SourceSettings, name: str, silence_s: float) -> ObjectStore:
    from obstore.exceptions import GenericError  # noqa: PLC0415
    from obstore.store import GCSStore, S3Store  # noqa: PLC0415

    client: Any = {
        "connect_timeout": timedelta(seconds=CONNECT_S),
        "timeout": timedelta(seconds=24 * 3600),  # of a whole answer; silence is what we bound
        "read_timeout": timedelta(seconds=silence_s),
        "allow_http": source.endpoint.startswith("http://"),
    }
    retry: Any = {"max_retries": TRIES, "retry_timeout": timedelta(seconds=silence_s)}
    endpoint = source.endpoint
    if endpoint:
        parts = urlsplit(endpoint)
        checked_addresses(parts.hostname or "", parts.port or 443, is_private=source.private)
    if source.scheme == "gs":
        config: Any = {"base_url": endpoint} if endpoint else {}
        config |= {"service_account": str(source.key_file)} if source.key_file else {"skip_signature": True}
        try:
            return GCSStore(name, config=config, client_options=client, retry_config=retry)
        except GenericError as error:
            raise SourceRefused(
                f"{source.key_file} is no key_file of a service account ({_short(str(error))}), so nothing was asked. "
                "An admin downloads one from Google's console and names it in STANDBY_SOURCES."
            ) from None
    config = {"region": source.region or "us-east-1"}
    config |= {"endpoint": endpoint} if endpoint else {}
    if source.user:
        config |= {"access_key_id": source.user, "secret_access_key": source.password.get_secret_value()}
    else:
        config["skip_signature"] = True
    return S3Store(name, config=config, client_options=client, retry_config=retry)


def _entry(meta: Any) -> Entry:
    """Some servers list an object's tag without the quotes that they give it with."""
    tag = (meta["e_tag"] or "").strip('"')
    mark = f'"{tag}"' if tag else f"{meta['last_modified'].isoformat()}-{meta['size']}"
    return Entry(meta["path"], size_bytes=meta["size"], mark=mark, modified_at=meta["last_modified"])


def _changed(address: str) -> SourceChanged:
    return SourceChanged(f"{address} changed while it was read, so what was read of it does not count.")


def _short(said: str) -> str:
    """The library's own words without the request's whole dump."""
    return " ".join(said.split("\n", maxsplit=1)[0].split())[:300]
