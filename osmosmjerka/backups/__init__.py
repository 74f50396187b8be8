"""Backups: one archive with the database, all files and the secret key, and back again.

`archive` is the file's form, `databases` copies and loads each kind of database, `services` does
the whole. An archive is a tar file compressed with zstd:

- `about.json`: what it is, so that a wrong archive is refused before anything is unpacked
- `database.sqlite3`, or `database.dump` of pg_dump
- `secret_key`
- `media/…`: pictures, sounds, imported files
- `manifest.json`, last: rows and a checksum of every table, size and checksum of every file
"""
