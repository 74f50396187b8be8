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
        super().__init__(
            client_config=_PATIENCE,
            file_overwrite=True,
            default_acl=None,  # the bucket's own
            querystring_auth=True,  # should anything ever print an address, it expires
            **options,
        )

    def put(self, name: str, data: bytes) -> None:
        with _told_as_of_files(name):
            self.bucket.Object(self._key(name)).put(Body=data)

    def read(self, name: str) -> bytes:
        with _told_as_of_files(name):
            data: bytes = self.bucket.Object(self._key(name)).get()["Body"].read()
            return data

    def files(self, folder: str = "") -> Iterator[Held]:
        prefix = f"{self.location.strip('/')}/" if self.location else ""
        below = f"{prefix}{folder.strip('/')}/" if folder else prefix
        with _told_as_of_files(folder):
            for one in self.bucket.objects.filter(Prefix=below):
                if not one.key.endswith("/"):
                    yield Held(one.key.removeprefix(prefix), one.size, one.last_modified)

    def exists(self, name: str) -> bool:
        with _told_as_of_files(name):
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        with _told_as_of_files(name):
            super().delete(name)

    def _open(self, name: str, mode: str = "rb") -> Any:
        # At once: what fails later would be told in the words of the library.
        return File(io.BytesIO(self.read(name)), name)

    def _save(self, name: str, content: Any) -> str:
        with _told_as_of_files(name):
            return str(super()._save(name, content))

    def _key(self, name: str) -> str:
        key: str = self._normalize_name(name)
        return key


class BucketFile:
    """A sound in a bucket, used like a path."""

    def __init__(self, storage: MediaBucket, name: str) -> None:
        self._storage, self.name = storage, name

    def __truediv__(self, name: str) -> BucketFile:
        return BucketFile(self._storage, f"{self.name}/{name}")

    @property
    def stem(self) -> str:
        return self.name.rsplit("/", 1)[-1].partition(".")[0]

    def is_file(self) -> bool:
        return bool(self._storage.exists(self.name))

    def read_bytes(self) -> bytes:
        return self._storage.read(self.name)

    def write_whole(self, data: bytes) -> None:
        self._storage.put(self.name, data)

    def unlink(self, missing_ok: bool = False) -> None:
        self._storage.delete(self.name)

    def size(self) -> int:
        """Return its size, 0 if there is no such file; may be the size before it was replaced."""
        return _size(self._storage, self.name)


@lru_cache(maxsize=20_000)
def _size_known(storage: MediaBucket, name: str) -> int:
    return int(storage.size(name))


def _size(storage: MediaBucket, name: str) -> int:
    # Asked for every word of a puzzle whenever a sound is played, to pad it: 20 requests otherwise.
    try:
        return _size_known(storage, name)
    except (OSError, BotoCoreError, ClientError):
        return 0
