from tests.paper.conftest import no_installed_fonts  # noqa: F401
