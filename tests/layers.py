"""Which cases of a long table run daily. CONTRIBUTING.md describes the layers of the suite."""

import os

import pytest

# Random tests try more cases then.
IS_THOROUGH = bool(os.environ.get("OSMOSMJERKA_THOROUGH"))


def daily(*chosen, of):
    """Return the values *of* a table as parameters; all but the *chosen* ones are thorough.

    >>> @pytest.mark.parametrize("language", daily("hr", "ar", of=LANGUAGES))

    Raises:
        ValueError: If a chosen value is not in the table.
    """
    values = list(of)
    if missing := [value for value in chosen if value not in values]:
        raise ValueError(f"The table does not have {missing}.")
    return [
        value if value in chosen else pytest.param(value, marks=pytest.mark.thorough)
        for value in values
    ]
