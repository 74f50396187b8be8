from tests.accounts.sign_on.providers import (  # noqa: F401
    certified,
    certified_program,
    forger,
    make_forger,
)
