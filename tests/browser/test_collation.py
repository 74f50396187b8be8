"""The browser, whose collation is another's work, sorts the names of the tests as ICU does here."""

import icu
import pytest

from tests.layers import daily
from tests.names import LANGUAGES, names

SORTED = "([names, language]) => names.toSorted(new Intl.Collator(language).compare)"


@pytest.fixture(scope="module")
def page(chromium):
    page = chromium.new_page()
    yield page
    page.close()


@pytest.mark.parametrize("language", daily("hr", of=LANGUAGES))
def test_icu_and_the_browser_agree_on_500_names(language, page):
    assert (
        page.evaluate("language => new Intl.Collator(language).resolvedOptions().locale", language)
        == language
    ), "this browser does not know the language"
    own = sorted(names(language), key=icu.Collator.createInstance(icu.Locale(language)).getSortKey)
    shown = page.evaluate(SORTED, [names(language), language])
    assert [pair for pair in zip(own, shown, strict=True) if pair[0] != pair[1]] == []
    assert own != sorted(own)  # there was something to agree on
