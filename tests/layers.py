"""Which cases of a long table run daily. CONTRIBUTING.md describes the layers of the suite."""

import os

import pytest

# Random tests try more cases then.
IS_THOROUGH = bool(os.environ.get("OSMOSMJERKA_THOROUGH"))


def daily(*chosen, of):
    """Return the cases *of* a table as parameters; all but the *chosen* ones are thorough.

    A tuple is a case of several parameters, and is chosen by its first.

    >>> @pytest.mark.parametrize("language", daily("hr", "ar", of=LANGUAGES))
    >>> @pytest.mark.parametrize(("word", "keys"), daily("konj", of=[("konj", "K O NJ"), …]))

    Raises:
        ValueError: If a chosen case is not in the table.
    """
    cases = [case if isinstance(case, tuple) else (case,) for case in of]
    if missing := [first for first in chosen if first not in [case[0] for case in cases]]:
        raise ValueError(f"The table does not have {missing}.")
    return [
        pytest.param(*case, marks=() if case[0] in chosen else pytest.mark.thorough)
        for case in cases
    ]
