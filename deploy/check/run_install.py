"""Execute the steps of docs/run/install.md for a server, word for word, on a new machine.

    python3 -m deploy.check.run_install [one] [several]

Each setup is installed on a copy of this machine that was never set up (`machine.py`), and a puzzle
is made and played on it over HTTPS. It needs root on Debian and the access to packages that
the steps themselves need; it takes some minutes. Comments in the page that readers do not see,
such as `<!-- check one several: root, downloads -->`, say which setups a block of lines belongs to,
who runs it, and whether it needs the internet. All else has no network.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from deploy.check.machine import HERE, REPOSITORY, Machine, Step, enter, say

SITE = "words.school.example"
PASSWORD = "a-long-password-for-the-check"  # noqa: S105  (of an account that lives for minutes)

# What stands on the page, and what is executed instead. There is nothing else.
SUBSTITUTIONS = {
    # The address of the repository: the commit that is checked out here.
    "https://git.example/osmosmjerka.git": "file:///srv/source.git",
    # It asks for these on a terminal.
    "manage.py setup_site": f"manage.py setup_site --username ana --display-name 'Ana Horvat'"
    f" --school 'Example School' --class 6b --password-stdin <<< {PASSWORD}",
}
_BLOCK = re.compile(
    r"^ *<!-- check (?P<setups>[a-z ]+): (?P<user>\w+)(?P<downloads>, downloads)? -->\n"
    r" *```sh\n(?P<text>.*?)\n *```$",
    re.M | re.S,
)


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines of the page, and how they are to be executed."""

    setups: tuple[str, ...]
    user: str
    downloads: bool
    text: str


def blocks_of(text: str) -> list[Block]:
    """Return the marked blocks of a text, without their indentation."""
    found = []
    for match in _BLOCK.finditer(text):
        lines = match["text"].splitlines()
        indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        setups = tuple(match["setups"].split())
        body = "\n".join(line[indent:] for line in lines)
        found.append(Block(setups, match["user"], bool(match["downloads"]), body))
    return found


def prepare(machine: Machine) -> None:
    """Make of the copy what Debian's installer and the school bring: not a step of the page."""
    source = f"{machine.root}/srv/source.git"
    machine.run(
        "git", "clone", "--quiet", "--bare", "--no-hardlinks", str(REPOSITORY), "/srv/source.git"
    )
    assert Path(source).is_dir()
    # Git refuses folders of another user.
    machine.run("git", "config", "--system", "safe.directory", "*")
    machine.write("/etc/hosts", f"127.0.0.1 localhost {SITE}\n")
    machine.write("/usr/local/bin/systemctl", (HERE / "systemctl").read_text(), 0o755)
    # Services are started by systemctl alone, as where systemd does not run.
    machine.write("/usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n", 0o755)
    certificate = f"""
        mkdir -p /etc/osmosmjerka
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={SITE} \\
          -addext subjectAltName=DNS:{SITE} -keyout /etc/osmosmjerka/privkey.pem \\
          -out /etc/osmosmjerka/fullchain.pem
    """
    machine.shell(certificate)


def start_packaged_services(machine: Machine) -> None:
    """Start what `apt-get install postgresql redis-server` starts where systemd runs."""
    machine.shell(
        """
        install -d -o postgres -g postgres /run/postgresql /var/lib/postgresql
        install -d -o redis -g redis /run/redis /var/lib/redis /var/log/redis
        version=$(ls /usr/lib/postgresql | tail -1)
        pg_createcluster --start "$version" main -- --auth-host=scram-sha-256
        su redis -s /bin/sh -c 'redis-server --daemonize yes --dir /var/lib/redis'
        """
    )


def wait_until_ready(machine: Machine, seconds: float = 90) -> None:
    """Ask /readyz until everything works."""
    ends = time.monotonic() + seconds
    ask = ["curl", "-sS", "--cacert", "/etc/osmosmjerka/fullchain.pem", "-w", " %{http_code}"]
    while True:
        done = machine.run(*ask, f"https://{SITE}/readyz", check=False)
        if done.stdout.endswith(" 200"):
            return
        if time.monotonic() > ends:
            raise Step(f"/readyz: {done.stdout}")
        time.sleep(0.5)


def logs_of(machine: Machine) -> str:
    logs = sorted(Path(f"{machine.root}/var/log/units").glob("*"))
    return "\n".join(f"--- {log.name}\n{log.read_text()[-2000:]}" for log in logs)


def check_redirects(machine: Machine) -> None:
    """Plain HTTP leads to HTTPS; HTTPS leads to the page, not to itself."""
    for scheme, expected in (("http", "301"), ("https", "200")):
        ask = ["curl", "-sS", "-o", "/dev/null", "--cacert", "/etc/osmosmjerka/fullchain.pem"]
        done = machine.run(*ask, "-w", "%{http_code}", f"{scheme}://{SITE}/login/")
        if done.stdout != expected:
            raise Step(f"{scheme}://{SITE}/login/ answers {done.stdout}, not {expected}")


def check_queues(machine: Machine) -> None:
    """Every queue has a worker."""
    program = (
        "from osmosmjerka.jobs.models import WorkerHeartbeat as W;"
        "from osmosmjerka.jobs.worker import QUEUES;"
        "print(sorted(set(QUEUES) - {q for w in W.objects.all() for q in w.slots}))"
    )
    told = machine.shell(f'.venv/bin/python manage.py shell -v0 -c "{program}"', user="osmosmjerka")
    if told.strip().splitlines()[-1] != "[]":
        raise Step(f"These queues have no worker: {told}")


def check_backup(machine: Machine) -> str:
    """The nightly backup, started by hand."""
    helped = machine.shell(".venv/bin/python manage.py help --commands", user="osmosmjerka").split()
    if "backup" not in helped:
        return "SKIPPED: this version has no command backup"
    machine.run("systemctl", "start", "osmosmjerka-backup")
    made = list(Path(f"{machine.root}/var/backups/osmosmjerka").iterdir())
    if not made:
        raise Step("The backup service made no backup.")
    return f"a backup of {sum(file.stat().st_size for file in made) / 1e6:.1f} MB"


def execute(machine: Machine, blocks: list[Block]) -> None:
    """Execute blocks of the page, and print the seconds of each."""
    for block in blocks:
        began, text = time.monotonic(), block.text
        for written, executed in SUBSTITUTIONS.items():
            text = text.replace(written, executed)
        machine.shell(text, user=block.user, downloads=block.downloads)
        first, *others = block.text.splitlines()
        say(f"{block.user}: {first}{f' (+{len(others)} lines)' if others else ''}", began)
        if "install -y postgresql" in block.text:
            start_packaged_services(machine)


def visit(machine: Machine) -> None:
    """Let a teacher make a puzzle and a student play it."""
    began = time.monotonic()
    machine.write("/srv/visitor.py", (HERE / "visitor.py").read_text())
    where = [f"https://{SITE}", "/etc/osmosmjerka/fullchain.pem"]
    told = machine.run("/usr/bin/python3", "/srv/visitor.py", *where, "ana", PASSWORD).stdout
    for line in told.splitlines():
        say(f"          {line}")
    say("a puzzle was made and played over HTTPS", began)


def check(machine: Machine, setup: str, blocks: list[Block]) -> None:
    """Install *setup* on a machine, and play on it. Raises Step."""
    try:
        execute(machine, blocks)
        began = time.monotonic()
        wait_until_ready(machine)
        check_redirects(machine)
        say("/readyz answers over HTTPS; plain HTTP leads there", began)
        if setup == "several":
            check_queues(machine)
        visit(machine)
        began = time.monotonic()
        say(check_backup(machine), began)
        began = time.monotonic()
        units = Path(f"{machine.root}/run/units")
        machine.run("systemctl", "stop", *sorted(unit.name for unit in units.iterdir()), "nginx")
        say("all services stopped when they were asked to", began)
    except Step as error:
        raise Step(f"{error}\n{logs_of(machine)}") from None


def check_all(setups: list[str], log: Path) -> None:
    """Execute the steps that the setups have in common once, and go on from there."""
    blocks = blocks_of((REPOSITORY / "docs" / "run" / "install.md").read_text(encoding="utf-8"))
    common = list(takewhile(lambda block: set(setups) <= set(block.setups), blocks))
    with Machine(log) as begun:
        prepare(begun)
        execute(begun, common)
        begun.halt()
        for setup in setups:
            began = time.monotonic()
            print(f"=== {setup}", flush=True)
            with Machine(log, begun=begun) as machine:
                rest = [block for block in blocks[len(common) :] if setup in block.setups]
                check(machine, setup, rest)
            say(f"=== {setup}: everything worked", began)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("setups", nargs="*", default=[], metavar="one|several")
    parser.add_argument("--log", type=Path, default=Path("/tmp/osmosmjerka-check.log"))  # noqa: S108
    given = parser.parse_args()
    enter()
    given.log.write_text("")
    try:
        check_all(given.setups or ["one", "several"], given.log)
    except Step as error:
        sys.exit(f"FAILED: {error}\nThe whole output is in {given.log}.")


if __name__ == "__main__":
    main()
