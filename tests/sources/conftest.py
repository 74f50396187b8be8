"""What is asserted about the source code and the documents, not about the running product."""

import pytest


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/sources/" in item.nodeid:
            item.add_marker(pytest.mark.source)
