"""The mutants that measure our tests: one small mistake each, and none in what people read."""

import ast

from benchmarks.mutate import mutants

SOURCE = '''"""What may be done."""
RULES = {"see": (frozenset({OWNER, VIEWER}), True)}


@transaction.atomic
def may(person, thing, *, is_late=False):
    """Return what *person* may see."""
    if not person.is_active or person.number > 3:
        return Thing.objects.none()
    logger.info("asked")
    if thing is None:
        raise ValueError("Say which 1 thing you mean, not None.")
    audit.record(person)
    return rows(person, "see progress").filter(owner=person, deleted_at=None)
'''


def changes():
    return {"".join(each.diff(SOURCE).split()) for each in mutants(SOURCE)}


def is_made(removed, added):
    return "".join(f"-{removed}+{added}".split()) in changes()


def test_each_is_another_program_that_can_be_read():
    made = mutants(SOURCE)
    assert len({each.source for each in made} | {SOURCE}) == len(made) + 1
    for each in made:
        ast.parse(each.source)


def test_the_mistakes_are_those_that_people_make():
    guard = "    if not person.is_active or person.number > 3:"
    query = '    return rows(person, "see progress").filter(owner=person, deleted_at=None)'
    for removed, added in (
        (guard, "    if ((not person.is_active)):"),
        (guard, "    if ((person.number > 3)):"),
        (guard, "    if (not person.is_active) and (person.number > 3):"),
        (guard, "    if (person.is_active) or person.number > 3:"),
        (guard, "    if not person.is_active or (person.number >= 3):"),
        (guard, "    if not person.is_active or person.number > 4:"),
        ("        return Thing.objects.none()", "        pass"),
        ("    audit.record(person)", "    pass"),
        (query, '    return rows(person, "see progress").filter(owner=person)'),
        (query, '    return rows(person, "see progress").filter(deleted_at=None)'),
        (query, '    return rows(person, "see progress").exclude(owner=person, deleted_at=None)'),
        (query, "    return rows(person, 'see').filter(owner=person, deleted_at=None)"),
        ("@transaction.atomic", ""),
    ):
        assert is_made(removed, added), added


def test_tables_outside_of_functions_have_mistakes_too():
    table = 'RULES = {"see": (frozenset({OWNER, VIEWER}), True)}'
    assert is_made(table, 'RULES = {"see": (frozenset({VIEWER}), True)}')
    assert is_made(table, 'RULES = {"see": (frozenset({OWNER, VIEWER}), False)}')
    [named] = {each.names for each in mutants(SOURCE) if not each.scope}
    assert named == ("RULES",)


def test_what_people_read_stays_as_it_is():
    for each in mutants(SOURCE):
        for text in ("What may be done.", "Return what", "Say which 1 thing", '"asked"'):
            is_gone = text not in each.source
            assert not is_gone or "raise" in each.diff(SOURCE), each.diff(SOURCE)


def test_only_the_functions_that_were_asked_for_are_changed():
    assert {each.scope for each in mutants(SOURCE, {"may"})} == {"may"}
    assert mutants(SOURCE, {"other"}) == []
