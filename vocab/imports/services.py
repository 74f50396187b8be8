"""Imports: store a preview; ask for it to be applied, undone or discarded."""

from __future__ import annotations

import shutil
import tempfile
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from vocab import access
from vocab.formats import refuse_page
from vocab.formats.rows import Problem, Row
from vocab.formats.sandbox import parse_untrusted
from vocab.imports.changes import carry_out, forget_source, log, originals_of, plan_of
from vocab.imports.pasting import refuse_too_long
from vocab.message import filled
from vocab.models import Import, VocabularyList
from vocab.rows import convert, plan, write
from vocab.sentences import said
from vocab.text.playing import rules_worth_having

# A worker applies larger imports, with a progress bar.
AT_ONCE = 500
MOST_PASTED = 20_000  # lines
KEPT_IMPORTS = 20
SECOND_CLICK = timedelta(minutes=1)
# What is read from a file or text, and how; the same for the same source.
_READ = (
    "is_pasted",
    "policy",
    "settings",
    "columns",
    "rows",
    "problems",
    "media",
    "playing_rules",
)
JOB = "vocabulary-import"


def start_import(
    *,
    vocabulary_list: VocabularyList,
    created_by: User,
    file: UploadedFile[Any] | None = None,
    text: str = "",
    policy: str = Import.Policy.REPLACE,
    columns: Mapping[str, str] | None = None,
    **settings: Any,
) -> Import:
    """Read an uploaded file or a pasted text and store the preview; the list does not change.

    *settings* are `format` and its options; anything not given is guessed. If the same was sent a
    moment before and still waits (a double click), its preview is returned. Raises FormatError.
    """
    made = Import(
        vocabulary_list=vocabulary_list,
        created_by=created_by,
        policy=policy,
        name=(file.name or "")[-255:] if file else "",
        is_pasted=file is None,
    )
    with tempfile.TemporaryDirectory(prefix="import-") as name:
        if file is None:
            refuse_too_long(text, lines=MOST_PASTED)
            _read(made, text, columns, settings)
            source = "pasted.txt", text.encode(errors="replace")
        else:
            path = Path(name) / "file"
            with path.open("wb") as stream:
                shutil.copyfileobj(file, stream)
            _read(made, path, columns, settings)
            source = "file", path.read_bytes()
    made.playing_rules = _suggested_rules(made)
    return _stored_once(made, *source)


@transaction.atomic
def _stored_once(made: Import, name: str, source: bytes) -> Import:
    """Store a preview with its source; or return the one that a first click stored."""
    # Two requests at once: the second waits, then finds the preview of the first.
    list(
        VocabularyList.everything.select_for_update(no_key=True).filter(pk=made.vocabulary_list_id)
    )
    just_stored = made.vocabulary_list.imports.filter(
        created_by=made.created_by,
        created_at__gt=timezone.now() - SECOND_CLICK,
        state=Import.State.WAITING,
        name=made.name,
    )
    for first in just_stored:
        if all(getattr(first, field) == getattr(made, field) for field in _READ):
            return first
    # A name of its own: a bucket does not refuse to replace another's file.
    made.source.save(f"{uuid.uuid4().hex}-{name}", ContentFile(source), save=False)
    try:
        made.save()
    except DatabaseError:  # it has no room, perhaps: leave no file that nothing refers to
        made.source.delete(save=False)
        raise
    _forget_old(made.vocabulary_list)
    return made


def _suggested_rules(import_: Import) -> list[str] | None:
    """Return the playing rules that suit the words of a list that has none yet, else None."""
    vocabulary_list = import_.vocabulary_list
    if vocabulary_list.playing_rules or vocabulary_list.entries.exists():
        return None
    terms = (row["term"] for row in import_.rows)
    return list(rules_worth_having(terms, vocabulary_list.language))


@transaction.atomic
def import_lines(
    *, vocabulary_list: VocabularyList, created_by: User, rows: Iterable[Row]
) -> Import:
    """Add rows that a page has shown already to a list, as an import that can be undone.

    An existing term gains what is new. Raises ValidationError that names the invalid line.
    """
    made = Import.objects.create(
        vocabulary_list=vocabulary_list,
        created_by=created_by,
        policy=Import.Policy.ADD,
        is_pasted=True,
        settings={"format": "delimited"},
        rows=[row.as_json() for row in rows],
    )
    for item in plan_of(made):
        if item.outcome == "wrong" and item.problem is not None:
            raise ValidationError(
                # Translators: %(message)s is a whole sentence.
                _("Line %(line)s: %(message)s")
                % {"line": item.row.line, "message": said(item.problem)}
            )
    apply_import(import_=made)
    return made


def read_again(
    *,
    import_: Import,
    columns: Mapping[str, str] | None = None,
    policy: str | None = None,
    playing_rules: Sequence[str] | None = None,
    **settings: Any,
) -> Import:
    """Read an import's file again with other settings or columns.

    *playing_rules* are those of an empty list; if they are what was suggested, they are suggested
    again. Raises FormatError, or ValidationError if the import does not wait any more.
    """
    _refuse_unless(import_, Import.State.WAITING)
    suggested = import_.playing_rules
    import_.policy = policy or import_.policy
    if import_.source:
        with import_.source.open("rb") as stream:
            data = stream.read()
        _read(import_, data.decode() if import_.is_pasted else data, columns, settings)
    is_chosen = playing_rules is not None and list(playing_rules) != suggested
    import_.playing_rules = list(playing_rules or ()) if is_chosen else _suggested_rules(import_)
    with transaction.atomic():
        _still_waiting(import_)
        import_.save()
    return import_


def _read(
    import_: Import,
    source: str | bytes | Path,
    columns: Mapping[str, str] | None,
    settings: Mapping[str, Any],
) -> None:
    began = time.monotonic()
    if not isinstance(source, str):
        refuse_page(import_.name, source)
    with tempfile.TemporaryDirectory(prefix="media-") as folder:
        parsed = parse_untrusted(
            source,
            columns=columns,
            languages=import_.vocabulary_list.languages,
            media_folder=Path(folder),
            **settings,
        )
        names = convert.keep_media(parsed.media)
    import_.media = {name: f"entries/{name}" for name in names.values()}
    import_.rows = [row.as_json() for row in convert.named_anew(parsed.rows, names)]
    import_.problems = [problem.as_json() for problem in parsed.problems]
    import_.columns = [list(pair) for pair in parsed.columns.items()]
    import_.settings = parsed.settings
    log(import_, "read", time.monotonic() - began)


def start_pull(*, copy: VocabularyList, created_by: User) -> Import:
    """Create a preview of the original's changes since *copy* was made or last pulled.

    What was changed or deleted only in the copy stays that way.

    Raises ValidationError if the original is gone, or if *created_by* may not see it.
    """
    visible = access.vocabulary_lists(created_by, "see")
    original = visible.filter(copies=copy).first()
    if original is None:
        raise ValidationError(
            _("The original no longer exists, or you no longer have access to it.")
        )
    rows = list(convert.rows_of(original).values())
    for line, row in enumerate(rows, start=1):
        row.line = line
    there = {row.id for row in rows}
    own = list(convert.rows_of(copy).values())
    gone = [row for row in own if row.id not in there]
    missing = originals_of(copy).keys() - {row.id for row in own}
    deleted = [row for row in rows if row.id in missing]
    rows = [row for row in rows if row.id not in missing]
    problems = [
        Problem(0, filled(text, term=row.term), "warning")
        for text, rows_left_out in ((plan.NOT_IN_ORIGINAL, gone), (plan.DELETED_HERE, deleted))
        for row in rows_left_out
    ]
    return Import.objects.create(
        vocabulary_list=copy,
        created_by=created_by,
        name=original.title[:255],
        rows=[row.as_json() for row in rows],
        problems=[problem.as_json() for problem in problems],
        media=convert.media_of(original),
    )


@transaction.atomic
def apply_import(*, import_: Import) -> Job | None:
    """Apply a waiting import: at once if it is small, else with the job that is returned.

    Raises ValidationError if it does not wait, or if a worker writes another one into the list.
    """
    # Nobody may add a word between comparing and writing.
    write.hold(import_.vocabulary_list)
    _move(import_, Import.State.WAITING, Import.State.APPLYING)
    return _do(import_, "apply", len(import_.rows))


@transaction.atomic
def undo_import(*, import_: Import) -> Job | None:
    """Undo an applied import exactly; with the job that is returned if it was large.

    Raises ValidationError if the list has changed since: undoing would lose those changes.
    """
    write.hold(import_.vocabulary_list)
    # On a double click, the second request should report that the import was already undone, not
    # that the list has changed.
    import_.refresh_from_db(fields=["state", "checksum_after"])
    _refuse_unless(import_, Import.State.APPLIED)
    if reason := why_not_undone(import_):
        raise ValidationError(reason)
    _move(import_, Import.State.APPLIED, Import.State.UNDOING)
    return _do(import_, "undo", import_.added + import_.changed)


def why_not_undone(import_: Import) -> str:
    """Return why an applied import cannot be undone as the list is now; "" if it can."""
    if convert.checksum(import_.vocabulary_list) == import_.checksum_after:
        return ""
    return _(
        "The list was changed after this import, and undoing it would lose those "
        "changes. Undo later imports first, or delete words in the list."
    )


@transaction.atomic
def discard_import(*, import_: Import) -> None:
    """Delete a preview."""
    _still_waiting(import_)
    forget_source(import_)
    import_.delete()


def job_of(import_: Import) -> Job | None:
    """Return the job that applies or undoes the import, if there is one."""
    return ledger.jobs_about(import_).first()


def try_again(*, import_: Import) -> Job | None:
    """Queue the job of an import again after it failed."""
    what = {Import.State.APPLYING.value: "apply", Import.State.UNDOING.value: "undo"}
    job = job_of(import_)
    if import_.state not in what or job is None or job.state != Job.State.FAILED:
        return job
    return _do(import_, what[import_.state], AT_ONCE + 1)


def _refuse_unless(import_: Import, state: str) -> None:
    if import_.state != state:
        raise ValidationError(
            # Translators: %(state)s is the state of an import, such as “Undone”.
            _("This is no longer possible. The import is: %(state)s.")
            % {"state": import_.get_state_display()}
        )


def _still_waiting(import_: Import) -> None:
    """Lock a waiting import; raise ValidationError if it was applied or discarded meanwhile."""
    now = Import.objects.select_for_update().filter(pk=import_.pk).first()
    if now is None:
        raise ValidationError(_("This import was discarded."))
    _refuse_unless(now, Import.State.WAITING)


def _move(import_: Import, before: str, after: str) -> None:
    """Change the state once: of two concurrent requests, one wins."""
    moved = Import.objects.filter(pk=import_.pk, state=before).update(state=after)
    import_.refresh_from_db(fields=["state"])
    if not moved:
        _refuse_unless(import_, before)


def _do(import_: Import, what: str, size: int) -> Job | None:
    if size > AT_ONCE:
        return ledger.enqueue(
            JOB,
            key=f"import:{import_.pk}:{what}",
            arguments={"import": import_.pk, "what": what},
            owner=import_.created_by,
            subject=import_,
        )
    carry_out(import_, what, lambda _percent, _message: None)
    return None


def _forget_old(vocabulary_list: VocabularyList) -> None:
    """Delete previews that nobody applied, except the latest; applied imports stay."""
    waiting = vocabulary_list.imports.filter(state=Import.State.WAITING)
    for old in waiting[KEPT_IMPORTS:]:
        with suppress(ValidationError):
            discard_import(import_=old)
