"""Execute deploy/docker/Dockerfile without a container engine, and measure what would be the image.

    python3 -m deploy.check.run_dockerfile

Each stage is a new machine (`machine.py`) over a minimal Debian with Python, which stands for the
base image; `debootstrap` makes it once. The instructions are executed as they are written, and the
container's command is started as its user on a read-only file system, until the health check of the
Dockerfile succeeds. It needs root, debootstrap and the access to packages that the build needs.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import re
import shlex
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from deploy.check.machine import DOWNLOADS, REPOSITORY, Machine, Step, enter, say

DOCKERFILE = REPOSITORY / "deploy" / "docker" / "Dockerfile"
# What stands for the base image. Its published size is not measured here.
BASES = {"python:3.11-slim-bookworm": ("bookworm", 130)}
_MINIMAL = "ca-certificates,netbase,tzdata,python3,python3-venv"
# Not observed: what was downloaded is kept for the next check.
_NOT_OBSERVED = {"PIP_NO_CACHE_DIR"}


@dataclass
class Stage:
    """A stage that was built, and what it says of its containers."""

    machine: Machine
    base: str
    variables: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "root"
    health: list[str] = field(default_factory=list)
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    @property
    def settings(self) -> list[str]:
        return ["env", *(f"{name}={value}" for name, value in self.variables.items())]


def instructions(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile, each with the rest of its lines."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    found = [line.split(None, 1) for line in joined.splitlines()]
    return [(name.upper(), rest.strip()) for name, rest in found]


def context(root: Path, ignored: str) -> list[Path]:
    """Return the files that are sent to a build, as .dockerignore says: the last rule counts."""
    rules = [line for line in ignored.splitlines() if line and not line.startswith("#")]
    return [
        path
        for path in sorted(root.rglob("*"))
        if path.is_file() and not _is_ignored(path.relative_to(root), rules)
    ]


def _is_ignored(path: Path, rules: list[str]) -> bool:
    places = [str(place) for place in (path, *path.parents)][:-1]
    is_ignored = False
    for rule in rules:
        pattern = rule.removeprefix("!").removeprefix("**/")
        names = places if pattern == rule.removeprefix("!") else [Path(p).name for p in places]
        if any(fnmatch.fnmatchcase(name, pattern) for name in names):
            is_ignored = not rule.startswith("!")
    return is_ignored


def base_of(image: str) -> Path:
    """Return the folder with what stands for a base image."""
    folder = DOWNLOADS / BASES[image][0]
    if not (folder / "usr" / "bin" / "python3").exists() or (folder / "debootstrap").exists():
        began = time.monotonic()
        shutil.rmtree(folder, ignore_errors=True)
        options = ["--variant=minbase", f"--include={_MINIMAL}", BASES[image][0], str(folder)]
        subprocess.run(["debootstrap", *options], check=True, stdout=subprocess.DEVNULL)
        say(f"debootstrap: what stands for {image}", began)
    return folder


def begin(stack: ExitStack, image: str, log: Path) -> Stage:
    machine = stack.enter_context(Machine(log, base=base_of(image)))
    for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"):
        shutil.copy(Path("/", name), machine.root / name)  # the network of this machine
    (machine.root / "usr/local/bin/python3").symlink_to("/usr/bin/python3")
    return Stage(machine, image)


def copy(stage: Stage, value: str, stages: dict[str, Stage], files: list[Path]) -> None:
    """Execute COPY: from another stage, or from the repository."""
    words = value.split()
    source = stages[words.pop(0).partition("=")[2]] if words[0].startswith("--from=") else None
    *sources, target = words
    place = Path(stage.folder, target)
    into = Path(f"{stage.machine.root}{place}")
    for name in sources:
        if source is not None:
            (into if target.endswith("/") else into.parent).mkdir(parents=True, exist_ok=True)
            path = f"{source.machine.root}{name}"
            subprocess.run(["cp", "-a", path, str(into)], check=True)
            continue
        wanted = [f for f in files if name == "." or f.is_relative_to(REPOSITORY / name)]
        if not wanted:
            raise Step(f"COPY {name}: .dockerignore leaves out all of it, or it does not exist")
        for file in wanted:
            copied = into / file.relative_to(REPOSITORY)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, copied)


def build(stack: ExitStack, log: Path) -> Stage:
    """Execute all instructions; return the last stage."""
    files = context(REPOSITORY, (REPOSITORY / ".dockerignore").read_text())
    stages: dict[str, Stage] = {}
    stage: Stage | None = None
    for name, value in instructions(DOCKERFILE.read_text()):
        began = time.monotonic()
        if name == "FROM":
            image, *called = value.split()
            stage = begin(stack, image, log)
            stages[called[-1] if called else ""] = stage
            continue
        if stage is None:
            raise Step(f"{name} before FROM")
        _execute(stage, name, value, stages, files)
        if name in {"RUN", "COPY"}:
            say(f"{name} {value[:100]}", began)
    if stage is None:
        raise Step("The Dockerfile has no stage.")
    return stage


def _execute(
    stage: Stage, name: str, value: str, stages: dict[str, Stage], files: list[Path]
) -> None:
    machine = stage.machine
    if name == "RUN":
        line = f"cd {stage.folder} && {value}"
        machine.run(*stage.settings, "sh", "-ec", line, downloads=True)
    elif name == "COPY":
        copy(stage, value, stages, files)
    elif name == "ENV":
        for pair in shlex.split(value):
            key, _, text = pair.partition("=")
            path = stage.variables.get("PATH", "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
            if key not in _NOT_OBSERVED:
                stage.variables[key] = text.replace("$PATH", path)
    elif name == "WORKDIR":
        stage.folder = value
        Path(f"{machine.root}{value}").mkdir(parents=True, exist_ok=True)
    elif name == "USER":
        stage.user = value
    elif name == "HEALTHCHECK":
        stage.health = json.loads(value[value.index("CMD") + 3 :])
    elif name in {"ENTRYPOINT", "CMD"}:
        setattr(stage, {"CMD": "command"}.get(name, "entrypoint"), json.loads(value))
    elif name not in {"VOLUME", "EXPOSE", "STOPSIGNAL", "LABEL"}:
        raise Step(f"{name} is not known here: describe it in {Path(__file__).name}")


def in_container(stage: Stage, *command: str) -> list[str]:
    """Return the command of this machine that runs *command* as in a read-only container."""
    group = stage.machine.run("id", "-g", stage.user).stdout.strip()
    rights = f"setpriv --reuid={stage.user} --regid={group} --clear-groups --no-new-privs"
    script = (
        "mount --make-rprivate / && mount --bind /data /data && mount -o remount,bind,ro /"
        f" && cd {stage.folder} && exec {rights} {shlex.join([*stage.settings, *command])}"
    )
    return stage.machine.command("unshare", "--mount", "sh", "-c", script)


def run_in_container(stage: Stage, *command: str) -> str:
    done = subprocess.run(
        in_container(stage, *command), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Step(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def serve(stage: Stage, command: list[str], log: Path) -> None:
    """Start a container's command, wait until its health check succeeds, and stop it."""
    began = time.monotonic()
    with log.open("ab") as output:
        process = subprocess.Popen(in_container(stage, *command), stdout=output, stderr=output)
        while True:
            check = subprocess.run(
                in_container(stage, *stage.health), capture_output=True, check=False
            )
            if not check.returncode:
                break
            if process.poll() is not None or time.monotonic() > began + 90:
                raise Step(f"{' '.join(command)} does not become healthy; see the end of {log}")
            time.sleep(0.5)
        say(f"{' '.join(command)}: the health check succeeds", began)
        began = time.monotonic()
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            raise Step(f"{' '.join(command)} does not end when it is asked to") from None
        say(f"ended by SIGTERM (status {process.returncode})", began)


def size_of(path: Path) -> float:
    """Return megabytes."""
    done = subprocess.run(
        ["du", "-sk", "--exclude=./proc", str(path)], capture_output=True, text=True, check=False
    )
    return int(done.stdout.split()[0]) * 1024 / 1e6


def tell_contents(stage: Stage) -> None:
    """Print what is in the image beside its base, and how large it is."""
    changes = stage.machine.changes
    program = changes / "opt/osmosmjerka"
    packages = next(program.glob("lib/python3*/site-packages"))
    print("\nThe image's contents beside its base, in megabytes:")
    sizes = sorted(((size_of(path), path.name) for path in packages.iterdir()), reverse=True)
    for size, name in sizes[:14]:
        print(f"{size:8.1f}  {name}")
    print(f"{sum(size for size, _name in sizes[14:]):8.1f}  {len(sizes) - 14} more")
    print(f"{size_of(program / 'static'):8.1f}  static files")
    kernels = [path for ending in ("nbi", "nbc") for path in packages.rglob(f"*.{ending}")]
    print(f"{sum(p.stat().st_size for p in kernels) / 1e6:8.1f}  of which compiled generators")
    added = size_of(changes)
    published = BASES[stage.base][1]
    print(f"{added:8.1f}  all that the Dockerfile adds")
    print(f"{size_of(base_of(stage.base)):8.1f}  what stands for {stage.base} here")
    print(f"{added + published:8.1f}  the image, if {stage.base} has {published} MB as published")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--log", type=Path, default=Path("/tmp/osmosmjerka-docker.log"))  # noqa: S108
    given = parser.parse_args()
    enter()
    given.log.write_text("")
    began = time.monotonic()
    try:
        with ExitStack() as stack:
            image = build(stack, given.log)
            warmed = time.monotonic()
            run_in_container(image, "osmosmjerka", "warm-up")
            say("the compiled generators load on a read-only file system", warmed)
            for program in ("pg_dump", "pg_restore", "celery"):
                run_in_container(image, program, "--version")
            serve(image, [*image.entrypoint, *image.command], given.log)
            # As deploy/docker/compose.yml does, here with SQLite.
            run_in_container(image, "osmosmjerka", "migrate")
            gunicorn = ["gunicorn", "-c", "python:osmosmjerka.gunicorn_conf", "osmosmjerka.wsgi"]
            serve(image, [*gunicorn, "--bind", "0.0.0.0:8000", "--workers", "2"], given.log)
            secrets = re.findall(r"secret_key|\.env$", "\n".join(_names(image.machine.changes)))
            if secrets:
                raise Step(f"The image contains {secrets}")
            tell_contents(image)
    except Step as error:
        sys.exit(f"FAILED: {error}\nThe whole output is in {given.log}.")
    say("everything worked", began)


def _names(folder: Path) -> list[str]:
    return [str(path) for path in folder.rglob("*") if not path.is_relative_to(folder / "data")]


if __name__ == "__main__":
    main()
