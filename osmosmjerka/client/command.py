"""The command `osmosmjerka api`: do an operation of a site's API from the shell.

It needs no settings and no data here, only the address of a site. Exit codes: 1 if the site refuses
the request or what was begun fails, 2 if the command is wrong, 3 if the site cannot be reached.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import requests

from osmosmjerka.client import Client, NotFinished, Operation, Problem, Value, WrongCall

URL, TOKEN = "OSMOSMJERKA_URL", "OSMOSMJERKA_TOKEN"
REFUSED, WRONG, UNREACHABLE = 1, 2, 3
_HOW = """\
Without OPERATION, lists the operations; OPERATION --help tells what one takes.

VALUE is text, or JSON where no text is taken: translation_languages='["en"]'.
NAME=@FILE takes the value from a file, or sends the file; @- is standard input, and
NAME=@@… a text that begins with @. '{"NAME": VALUE, …}' gives several in JSON.

Puzzles and worksheets that are created are waited for, and printed when they are ready."""


def main(arguments: Sequence[str]) -> None:
    """Do the operation that *arguments* name and print its answer, or exit with a sentence."""
    parser = _parser()
    options = parser.parse_intermixed_args(arguments)
    if options.help and not options.operation:
        parser.print_help()
        return
    if not options.url:
        parser.error(f"Name the site with --url or {URL}.")
    try:
        _do(Client(options.url, options.token), options)
    except (Problem, NotFinished) as told:
        _exit(REFUSED, told)
    except requests.RequestException as error:
        _exit(UNREACHABLE, f"{options.url} cannot be reached: {error}")
    except (WrongCall, OSError) as told:
        _exit(WRONG, told)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "osmosmjerka api",
        description="Do an operation of the API of a site.",
        epilog=_HOW,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    parser.add_argument("-h", "--help", action="store_true", help="explain this or OPERATION")
    parser.add_argument(
        "--url", default=os.environ.get(URL), help=f"address of the site; by default ${URL}"
    )
    parser.add_argument(
        "--token",
        default=os.environ.get(TOKEN, ""),
        help=f"API token; by default ${TOKEN}, which other people on this machine cannot see",
    )
    parser.add_argument("-o", "--output", type=Path, help="write the answer to this file")
    parser.add_argument("--no-wait", action="store_true", help="print what is not ready yet")
    parser.add_argument("operation", nargs="?", metavar="OPERATION")
    parser.add_argument("values", nargs="*", metavar="NAME=VALUE")
    return parser


def _do(client: Client, options: argparse.Namespace) -> None:
    if not options.operation:
        _list(client)
        return
    operation = client.operation(options.operation)
    if options.help:
        _explain(operation)
        return
    values = _values_of(operation, options.values)
    if options.output is None and operation.returns_file and sys.stdout.isatty():
        raise WrongCall("The answer is a file. Say with -o where to write it.")
    call = client.call if options.no_wait else client.call_and_wait
    _write(call(operation.name, **values), options.output)


def _list(client: Client) -> None:
    width = max(map(len, client.operations))
    for name, operation in sorted(client.operations.items()):
        print(f"{name:<{width}}  {operation.description.partition(chr(10))[0]}".rstrip())


def _explain(operation: Operation) -> None:
    print(operation.description)
    for name, value in operation.values.items():
        kind = "file" if value.is_file else " or ".join(sorted(value.types)) or "JSON"
        needed = ", needed" if value.is_required else ""
        print(f"\n  {name} ({kind}{needed})")
        for line in value.description.splitlines():
            print(f"      {line}".rstrip())


def _values_of(operation: Operation, arguments: Sequence[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for argument in arguments:
        if argument.startswith("{"):
            given = _json(argument, "The argument in braces")
        else:
            name, equals, text = argument.partition("=")
            if not equals:
                raise WrongCall(f"Write NAME=VALUE instead of {argument}.")
            given = {name: _value(operation.value(name), text)}
        if twice := values.keys() & given.keys():
            raise WrongCall(f"{', '.join(sorted(twice))} is given twice.")
        values |= given
    return values


def _value(described: Value, text: str) -> Any:
    if described.is_file:
        path = text.removeprefix("@")
        return sys.stdin.buffer.read() if path == "-" else Path(path)
    if text.startswith("@@"):
        text = text[1:]
    elif text.startswith("@"):
        read = sys.stdin.read() if text == "@-" else Path(text[1:]).read_text(encoding="utf-8")
        text = read.removesuffix("\n")
    if "string" in described.types:
        return text
    return _json(text, described.name)


def _json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise WrongCall(f"{what} is not JSON: {error}.") from None


def _write(answer: Any, output: Path | None) -> None:
    if answer is None:
        return
    if not isinstance(answer, bytes):
        answer = json.dumps(answer, ensure_ascii=False, indent=2).encode() + b"\n"
    if output is None:
        sys.stdout.buffer.write(answer)
    else:
        output.write_bytes(answer)


def _exit(code: int, sentence: object) -> NoReturn:
    print(sentence, file=sys.stderr)
    sys.exit(code)
