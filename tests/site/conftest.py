"""The schools that are crawled are those that are asked who may do what."""

from tests.accounts.conftest import house, other_house

__all__ = ["house", "other_house"]
