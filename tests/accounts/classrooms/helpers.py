"""Adding students by the pages, as a teacher does."""


def open_preview(client, classroom, body):
    """Send names or a file; return the reply with the preview, or with the form and its error."""
    return client.post(f"/classes/{classroom.pk}/pupils/paste/", body, follow=True)


def confirm(client, reply, choices=None):
    """Click “Add to class” in a preview; return the text of the page that follows."""
    sent = {f"line-{line}": choice for line, choice in (choices or {}).items()}
    sent["mark"] = reply.context["preview"].mark
    return client.post(f"{reply.request['PATH_INFO']}add/", sent, follow=True).content.decode()


def add_names(client, classroom, body, choices=None):
    """Send names or a file and confirm the preview; return the text of the page that follows."""
    return confirm(client, open_preview(client, classroom, body), choices)


def outcomes(reply):
    """Return (line, outcome, display name) of each line of a preview."""
    return [(item.line, item.outcome, item.name) for item in reply.context["preview"].items]
