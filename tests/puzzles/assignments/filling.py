"""The form of a new assignment, filled in as a browser without scripts does."""

from __future__ import annotations

from html.parser import HTMLParser

PATH = "/assign/"


class _Fields(HTMLParser):
    """Reads what the form of a page would send if it was sent as it is."""

    def __init__(self):
        super().__init__()
        self.fields, self.is_inside, self.select = {}, False, None

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.is_inside = given.get("action") == PATH
        if not self.is_inside:
            return
        if tag == "select":
            self.select = given["name"]
        elif tag == "option" and ("selected" in given or self.select not in self.fields):
            self.fields[self.select] = [given["value"]]
        elif tag == "input" and "name" in given:
            is_tick = given.get("type") in ("checkbox", "radio")
            if not is_tick or "checked" in given:
                value = given.get("value", "on" if is_tick else "")
                self.fields.setdefault(given["name"], []).append(value)


def fields_of(reply):
    """Return {name: [value, …]} of the form on a page."""
    assert reply.status_code == 200, reply
    reader = _Fields()
    reader.feed(reply.content.decode())
    assert reader.fields, "the page has no such form"
    return reader.fields


def opened(client, **query):
    """Open the form by a link; return its fields."""
    return fields_of(client.get(PATH, query))


def shown(client, fields, **changes):
    """Change fields and press the button that shows the words again; return the fields then."""
    return fields_of(client.post(PATH, fields | changes | {"show": "1"}))


def sent(client, fields, **changes):
    """Change fields and assign; return the reply."""
    return client.post(PATH, fields | changes)
