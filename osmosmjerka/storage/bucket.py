"""Media in a bucket of an S3-compatible store, by django-storages; needs the extra `s3`.

The bucket stays private: browsers get every file from our views, which decide who may.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EIO, ENOENT
from functools import lru_cache
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import File
from storages.backends.s3 import S3Storage

from osmosmjerka.storage.media import Held

# A page must not wait long for a store that hangs.
_PATIENCE = Config(connect_timeout=3, read_timeout=15, retries={"total_max_attempts": 3})


@contextmanager
def _told_as_of_files(name: str) -> Iterator[None]:
    """Raise what a folder would raise, which everybody expects: FileNotFoundError or OSError."""
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] in ("NoSuchKey", "404"):
            raise FileNotFoundError(ENOENT, "there is no such file", name) from None
        raise OSError(EIO, f"the store refused ({error})", name) from error
    except (Boto3Error, BotoCoreError) as error:
        raise OSError(EIO, f"the store does not answer ({error})", name) from error


class MediaBucket(S3Storage):
    """Files below a prefix of a bucket. Writing replaces; a file is seen whole or not at all."""

    def __init__(self, **options: Any) -> None:
        # Should anything ever print an address, it expires.
        super().__init__(client_config=_PATIENCE, querystring_auth=True, **options)
        self._prefix = f"{self.location}/" if self.location else ""

    def put(self, name: str, data: bytes) -> None:
        with _told_as_of_files(name):
            self.bucket.Object(self._prefix + name).put(Body=data)

    def read(self, name: str) -> bytes:
        with _told_as_of_files(name):
            data: bytes = self.bucket.Object(self._prefix + name).get()["Body"].read()
            return data

    def files(self, folder: str = "") -> Iterator[Held]:
        below = f"{self._prefix}{folder}/" if folder else self._prefix
        with _told_as_of_files(folder):
            for one in self.bucket.objects.filter(Prefix=below):
                if not one.key.endswith("/"):
                    yield Held(one.key.removeprefix(self._prefix), one.size, one.last_modified)

    def exists(self, name: str) -> bool:
        with _told_as_of_files(name):
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        with _told_as_of_files(name):
            super().delete(name)

    @lru_cache(maxsize=20_000)  # noqa: B019  (there is one storage)
    def size(self, name: str) -> int:
        """Return a file's size, perhaps that before it was replaced.

        It is asked for every word of a puzzle whenever a sound is played, to pad it.
        """
        with _told_as_of_files(name):
            return int(super().size(name))

    def _open(self, name: str, mode: str = "rb") -> Any:
        return File(io.BytesIO(self.read(name)), name)

    def _save(self, name: str, content: Any) -> str:
        self.put(name, b"".join(content.chunks()))
        return name
