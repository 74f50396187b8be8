"""Walks over the permission table, for the tests that ask every address something."""

from dataclasses import dataclass

from osmosmjerka.accounts.models import User
from tests.accounts.house import ask
from tests.accounts.permission_table import (
    CO,
    COLLEAGUE,
    FORMER,
    GUEST,
    LAUNCHED,
    METHODS,
    NOBODY,
    OTHER_ADMIN,
    OWNER,
    SITE,
    STRANGER,
    SUBSTITUTE,
    TABLE,
    VIEWER,
    bodies_of,
    path_of,
    persons,
)
from tests.layers import IS_THOROUGH

# Whom people resemble. Daily they are asked for where the table treats them otherwise.
LIKE = {
    LAUNCHED: CO,
    SUBSTITUTE: VIEWER,
    FORMER: COLLEAGUE,
    GUEST: COLLEAGUE,
    OTHER_ADMIN: STRANGER,
}


@dataclass(frozen=True)
class Request:
    """What somebody asks an address."""

    who: str
    person: User | None
    route: str
    method: str
    path: str
    body: dict

    def __str__(self):
        return f"{self.method} /{self.route} {self.body or ''}: {self.who}"

    def ask(self, **how):
        return ask(self.person, self.method, self.path, self.body, **how)


def requests_of(route, method, who, person, house, most=None):
    """Yield somebody's requests of an address, one for each right body, or for *most* of them."""
    bodies = bodies_of(route, house) if method != "GET" else [{}]
    for body in bodies[:most]:
        yield Request(who, person, route, method, path_of(route, house), body)


def let_in(house, other, *names, routes=TABLE, methods=METHODS, most=None):
    """Yield the right requests of everything that the table lets the people with *names* do."""
    everybody = persons(house, other)
    for route, row in TABLE.items():
        for method in methods if route in routes else ():
            for who in names:
                if who in row.get(method, NOBODY):
                    yield from requests_of(route, method, who, everybody[who], house, most)


def by_everybody(method, house, other):
    """Yield the requests of everybody by a method at every address, also where it is refused.

    What an address does not know, it does not know for the site admin either, who passes every
    check of class, list and puzzle: daily nobody else asks that. All the right bodies of an address
    are daily sent by the teacher and by a colleague.
    """
    everybody = persons(house, other)
    for route, row in TABLE.items():
        if method not in row and not IS_THOROUGH:
            [asked, *_others] = requests_of(route, method, SITE, everybody[SITE], house)
            if asked.ask().status == 405:
                continue
        may = row.get(method, NOBODY)
        for who, person in everybody.items():
            if not IS_THOROUGH and who in LIKE and (who in may) == (LIKE[who] in may):
                continue
            most = None if IS_THOROUGH or who in {OWNER, COLLEAGUE} else 1
            yield from requests_of(route, method, who, person, house, most)
