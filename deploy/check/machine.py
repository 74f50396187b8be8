"""A machine of its own for a check: this one's files, copied when they change, then thrown away.

The kernel gives it its own file system (an overlay over this machine's), processes and, for what
downloads nothing, network. So the steps are executed as they are written, with their folders, users
and ports, and leave nothing behind. It needs root and a kernel that allows overlays.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
_INSIDE = "OSMOSMJERKA_CHECK_INSIDE"
# The folders with state of this machine that a new one does not have.
_NOT_COPIED = ("/etc/postgresql", "/var/lib/postgresql", "/var/lib/redis")
# What was downloaded for an earlier check.
DOWNLOADS = Path("/var/cache/osmosmjerka-check")


def enter() -> None:
    """Run this program again with mounts and processes of its own, which end with it."""
    if os.geteuid() != 0:
        sys.exit("This check creates users and mounts file systems: run it as root.")
    if _INSIDE not in os.environ:
        separate = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        os.environ[_INSIDE] = "1"
        os.execvp(separate[0], [*separate, sys.executable, *sys.orig_argv[1:]])


class Step(Exception):
    """A step failed."""


class Machine:
    """A copy of this machine; a context manager."""

    def __init__(self, log: Path, base: Path = Path("/"), begun: Machine | None = None) -> None:
        """*base* is another folder with a whole system, instead of this machine's.

        *begun* is a machine that was halted; this one goes on with its files.
        """
        self.base, self.begun = base, begun
        self.folder = Path(tempfile.mkdtemp(prefix="osmosmjerka-check-"))
        self.root = self.folder / "root"
        self.changes = self.folder / "changes"
        self.log = log
        self._network: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Machine:
        for name in ("root", "changes", "work"):
            (self.folder / name).mkdir()
        if (
            self.begun is not None
        ):  # the kernel refuses its folder as a layer over "/", which has it
            copied = ["cp", "-a", f"{self.begun.changes}/.", str(self.changes)]
            subprocess.run(copied, check=True)
        layers = f"lowerdir={self.base},upperdir={self.changes},workdir={self.folder / 'work'}"
        try:
            _mount("-t", "overlay", "overlay", "-o", layers, str(self.root))
        except subprocess.CalledProcessError:
            sys.exit("This check needs a kernel that allows overlays: it cannot run here.")
        _mount("-t", "proc", "proc", f"{self.root}/proc")
        _mount("--rbind", "/dev", f"{self.root}/dev")
        for name, mode in (("run", "755"), ("tmp", "1777")):
            _mount("-t", "tmpfs", "-o", f"mode={mode}", "tmpfs", f"{self.root}/{name}")
        for name in _NOT_COPIED:
            if self.begun is None:
                shutil.rmtree(f"{self.root}{name}", ignore_errors=True)
        downloaded = DOWNLOADS / "pip"
        downloaded.mkdir(parents=True, exist_ok=True)
        _mount("--bind", str(downloaded), f"{self.root}/mnt")
        self.write("/etc/environment", "PIP_CACHE_DIR=/mnt\n")
        # Which network does not matter: every address but its own is out of reach.
        self._network = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "ip link set lo up; echo; exec sleep infinity"],
            stdout=subprocess.PIPE,
        )
        assert self._network.stdout is not None
        self._network.stdout.readline()
        return self

    def halt(self) -> None:
        """Switch it off; its files stay, so that others can go on from there."""
        if self._network is not None:
            self._network.kill()
            self._network = None
            for process in Path("/proc").glob("[0-9]*"):  # those of this check alone, see `enter`
                with suppress(OSError):
                    if (process / "root").readlink() == self.root:
                        os.kill(int(process.name), signal.SIGKILL)
            subprocess.run(["umount", "--recursive", "--lazy", str(self.root)], check=False)

    def __exit__(self, *_error: object) -> None:
        self.halt()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, *arguments: str, downloads: bool = False) -> list[str]:
        """Return the command of *this* machine that runs *arguments* in the copy."""
        assert self._network is not None
        network = ["nsenter", f"--net=/proc/{self._network.pid}/ns/net"]
        return [*([] if downloads else network), "chroot", str(self.root), *arguments]

    def run(
        self, *arguments: str, downloads: bool = False, check: bool = True, **options: Any
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the copy; its output goes to the log. Raises Step if it fails."""
        options.setdefault("env", _environment())
        done = subprocess.run(
            self.command(*arguments, downloads=downloads),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            **({} if "input" in options else {"stdin": subprocess.DEVNULL}),
            **options,
        )
        with self.log.open("a") as log:
            log.write(f"\n$ {' '.join(arguments)}\n{done.stdout}")
        if check and done.returncode:
            raise Step(f"{' '.join(arguments)[:300]}\n{done.stdout[-4000:]}")
        return done

    def shell(
        self, text: str, *, user: str = "root", downloads: bool = False, **options: Any
    ) -> str:
        """Run the lines of a shell in the home of *user*, as `su - USER` does."""
        if downloads:  # pip uses what belongs to its user alone
            self.run("chown", "-R", user, "/mnt")
            options["downloads"] = True
        return self.run("su", "-", user, "-c", f"set -eu\n{text}", **options).stdout

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        file = Path(f"{self.root}{path}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True, stderr=subprocess.DEVNULL)


def _environment() -> dict[str, str]:
    """Return what a new shell of root has, and where pip and apt find packages here."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.startswith("PIP_") or name.lower().endswith("_proxy")
    }
    return kept | {
        "PIP_CACHE_DIR": "/mnt",
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LANG": "C.UTF-8",
        "DEBIAN_FRONTEND": "noninteractive",
    }


def say(text: str, began: float | None = None) -> None:
    """Print a step, and how long it took."""
    seconds = f"{time.monotonic() - began:6.1f} s  " if began is not None else ""
    print(f"{seconds}{text}", flush=True)
