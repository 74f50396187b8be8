"""The text of a file of words, whatever its encoding, with a warning if that was guessed."""

from __future__ import annotations

from collections.abc import Sequence

from osmosmjerka.i18n.code_pages import DecodingError, decode
from vocab.formats.rows import FormatError, Problem, Setting, message


def text_of(
    data: bytes | str,
    encoding: str | None,
    languages: Sequence[str] = (),
) -> tuple[str, dict[str, Setting], list[Problem]]:
    """Return the text of a file, or what was pasted, and the settings that read a file so.

    Without an *encoding*, it is guessed, rather as a text in one of *languages*; if it is a code
    page, a problem says so. Raises `FormatError` that names the first line the encoding cannot
    read.
    """
    if isinstance(data, str):
        return data.removeprefix("\ufeff"), {}, []
    try:
        found = decode(data, languages, encoding)
    except DecodingError as error:
        if not error.line:
            raise FormatError(
                message("The encoding “{name}” is not supported."), name=error.encoding
            ) from None
        raise FormatError(
            message("Line {line} does not match the encoding {name}. Choose another encoding."),
            line=error.line,
            name=error.encoding,
        ) from None
    problems = []
    if found.is_guess:
        guessed = message(
            "The file does not say which encoding it uses. It was read as {name}: “{words}”. If "
            "these words look wrong, choose another encoding.",
            name=found.encoding,
            words=found.example,
        )
        problems.append(Problem(0, guessed, "warning"))
    return found.text, {"encoding": found.encoding}, problems
