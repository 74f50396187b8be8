"""Eight people of two schools press whatever they find, in random order."""

import pytest

from tests.journeys.walk import Walk, Wrong
from tests.layers import daily
from vocab import access

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.parametrize("seed", daily(1, of=[1, 2]))
def test_whatever_they_press_the_promises_hold(seed):
    walk = Walk(seed).run(400)
    assert walk.reviews, "somebody played"


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(10, 20))
def test_on_a_long_walk_too(seed):
    Walk(seed).run(2_000)


@pytest.mark.thorough
def test_the_walk_finds_a_hole(monkeypatch):
    """The control: editors move words out of other people's lists again."""
    monkeypatch.setitem(access.LIST_ACTIONS, "move out", access.LIST_ACTIONS["edit"])
    with pytest.raises(Wrong, match="words were moved"):
        Walk(1).run(3_000)
