"""The schools that are crawled are those that are asked who may do what."""

from tests.accounts.conftest import house, other_house
from tests.site.pseudo import in_pseudo

__all__ = ["house", "in_pseudo", "other_house"]
