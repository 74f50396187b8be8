"""Jobs that an older version wrote keep their state and their attempts."""

import uuid

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

OLD, NEW = [("jobs", "0001_initial")], [("jobs", "0003_store_failed_for_parked")]


@pytest.fixture
def migrate(transactional_db):
    """Return a function that migrates the jobs and returns their model as it is then."""

    def migrate(target):
        MigrationExecutor(connection).migrate(target)
        state = MigrationExecutor(connection).loader.project_state(target)
        return state.apps.get_model("jobs", "Job")

    yield migrate
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def write(model, states, **values):
    now = timezone.now()
    for state in states:
        key = f"{state}:{uuid.uuid4()}"
        model.objects.create(kind="test", key=key, state=state, due_at=now, **values)


def stored(model, attempts):
    return sorted(model.objects.values_list("state", attempts))


@pytest.mark.thorough
def test_what_was_parked_has_failed_and_is_parked_again_after_going_back(migrate):
    old = migrate(OLD)
    write(old, ["parked", "done", "queued"], tries=3)
    new = migrate(NEW)
    assert stored(new, "attempts") == [("done", 3), ("failed", 3), ("queued", 3)]
    old = migrate(OLD)
    assert stored(old, "tries") == [("done", 3), ("parked", 3), ("queued", 3)]
