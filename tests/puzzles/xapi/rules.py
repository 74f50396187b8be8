"""The rules of the xAPI specification 1.0.3 for a statement, as a learning record store checks it.

Written from the specification's part two (statements) and part three (formats), of what this site
uses; anything else in a statement is an error, too.
"""

import re
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from uuid import UUID

# RFC 5646, as far as its form goes.
_LANGUAGE = re.compile(
    r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-[A-Za-z0-9]{5,8})*"
)
_DURATION = re.compile(r"P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)")
_ALLOWED = {
    "statement": {"id", "actor", "verb", "object", "result", "context", "timestamp", "version"},
    "agent": {"objectType", "account", "name"},
    "account": {"homePage", "name"},
    "verb": {"id", "display"},
    "activity": {"objectType", "id", "definition"},
    "definition": {"name", "description", "type", "moreInfo"},
    "result": {"score", "success", "completion", "response", "duration"},
    "score": {"scaled", "raw", "min", "max"},
    "context": {"registration", "contextActivities", "platform", "language"},
    "contextActivities": {"parent", "grouping", "category", "other"},
}


class Broken(AssertionError):
    """A statement that a store has to reject, with the reason."""


def _must(is_right, reason):
    if not is_right:
        raise Broken(reason)


def _object(value, what):
    _must(isinstance(value, dict), f"{what} is no object")
    unknown = value.keys() - _ALLOWED[what]
    _must(not unknown, f"{what} has {sorted(unknown)}")
    _must(None not in value.values(), f"{what} has a null")


def _iri(value, what):
    _must(isinstance(value, str), f"{what} is no text")
    parts = urlsplit(value)
    _must(parts.scheme and (parts.netloc or parts.path), f"{what} is no IRI: {value!r}")
    _must(not re.search(r"[\s<>\"{}|\\^`]", value), f"{what} is no IRI: {value!r}")


def _uuid(value, what):
    _must(isinstance(value, str), f"{what} is no text")
    try:
        _must(str(UUID(value)) == value.lower(), f"{what} is no UUID: {value!r}")
    except ValueError:
        raise Broken(f"{what} is no UUID: {value!r}") from None


def _language_map(value, what):
    _must(isinstance(value, dict) and value, f"{what} is no language map")
    for tag, text in value.items():
        _must(_LANGUAGE.fullmatch(tag), f"{what} has no language: {tag!r}")
        _must(isinstance(text, str), f"{what} has no text")


def _actor(actor):
    _object(actor, "agent")
    _must(actor.get("objectType", "Agent") == "Agent", "the actor is no Agent")
    account = actor.get("account")
    _object(account, "account")
    _iri(account.get("homePage"), "homePage")
    _must(isinstance(account.get("name"), str) and account["name"], "the account has no name")


def _activity(activity, what):
    _object(activity, "activity")
    _must(activity.get("objectType", "Activity") == "Activity", f"{what} is no Activity")
    _iri(activity.get("id"), f"the id of {what}")
    if "definition" in activity:
        definition = activity["definition"]
        _object(definition, "definition")
        if "name" in definition:
            _language_map(definition["name"], f"the name of {what}")
        if "type" in definition:
            _iri(definition["type"], f"the type of {what}")


def _number(value, what):
    _must(isinstance(value, int | float) and not isinstance(value, bool), f"{what} is no number")


def _result(result):
    _object(result, "result")
    for name in ("success", "completion"):
        _must(isinstance(result.get(name, True), bool), f"{name} is no boolean")
    _must(isinstance(result.get("response", ""), str), "response is no text")
    if "duration" in result:
        _must(_DURATION.fullmatch(str(result["duration"])), "duration is not ISO 8601")
    if "score" not in result:
        return
    score = result["score"]
    _object(score, "score")
    for name, value in score.items():
        _number(value, name)
    _must(-1 <= score.get("scaled", 0) <= 1, "scaled is not from -1 to 1")
    least, most = score.get("min", float("-inf")), score.get("max", float("inf"))
    _must(least < most, "min is not below max")
    _must(least <= score.get("raw", least) <= most, "raw is not from min to max")


def _context(context):
    _object(context, "context")
    if "registration" in context:
        _uuid(context["registration"], "registration")
    if "contextActivities" in context:
        around = context["contextActivities"]
        _object(around, "contextActivities")
        for name, activities in around.items():
            _must(isinstance(activities, list) and activities, f"{name} is empty or no array")
            for activity in activities:
                _activity(activity, name)


def check(statement):
    """Raise Broken, with the reason, if a statement is not one of xAPI 1.0.3."""
    _object(statement, "statement")
    for name in ("id", "actor", "verb", "object", "timestamp"):
        _must(name in statement, f"there is no {name}")
    _uuid(statement["id"], "id")
    _actor(statement["actor"])
    verb = statement["verb"]
    _object(verb, "verb")
    _iri(verb.get("id"), "the id of the verb")
    _language_map(verb.get("display"), "the display of the verb")
    _activity(statement["object"], "the object")
    if "result" in statement:
        _result(statement["result"])
    if "context" in statement:
        _context(statement["context"])
    at = statement["timestamp"]
    try:
        zone = datetime.fromisoformat(at).utcoffset()
    except (TypeError, ValueError):
        raise Broken(f"timestamp is not ISO 8601: {at!r}") from None
    _must(zone is not None, "timestamp has no zone")
    _must(not (at.endswith("-00:00") or at.endswith("-00")), "timestamp has a negative zero zone")
    _must(abs(zone) < timedelta(days=1), "timestamp has no such zone")
    _must(re.fullmatch(r"1\.0(\.\d+)?", statement.get("version", "1.0.0")), "version is not 1.0.x")
