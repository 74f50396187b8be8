"""What an import did, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from vocab.models import Import


def what_changed(import_: Import) -> str:
    """Return how many words an applied import added and changed, without what is nothing."""
    texts = []
    if count := import_.added:
        texts.append(ngettext("%(count)s word added.", "%(count)s words added.", count))
        texts[-1] %= {"count": count}
    if count := import_.changed:
        texts.append(ngettext("%(count)s word changed.", "%(count)s words changed.", count))
        texts[-1] %= {"count": count}
    return " ".join(texts) or _("Nothing changed.")
