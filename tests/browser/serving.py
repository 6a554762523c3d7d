"""JupyterLab and Voilà as a user meets them, on a port of their own and in folders of their own."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from abc import ABC, abstractmethod
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("CHROMIUM", shutil.which("chromium") or "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server(ABC):
    """A server in a process group of its own, its log in a file."""

    def __init__(self, home: Path, notebooks: Path):
        self.home, self.notebooks, self.token = home, notebooks, secrets.token_hex(16)
        self.log = home / "server.log"

    def environment(self) -> dict[str, str]:
        own = {
            "HOME": self.home,
            "JUPYTER_CONFIG_DIR": self.home / "config",
            "JUPYTER_DATA_DIR": self.home / "data",
            "JUPYTER_RUNTIME_DIR": self.home / "runtime",
            "JUPYTERLAB_SETTINGS_DIR": self.home / "settings",
            "JUPYTERLAB_WORKSPACES_DIR": self.home / "workspaces",
            "IPYTHONDIR": self.home / "ipython",
            "TKG_PLAYTESTS": self.home / "playtests",
            "JUPYTER_PLATFORM_DIRS": "1",
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            # the rules are compiled already, in the cache of whoever runs the tests
            "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", cache_folder()),
        }
        return {**os.environ, **{name: str(value) for name, value in own.items()}}

    @abstractmethod
    def command(self, port: int) -> list[str]:
        """The program and its arguments."""

    @abstractmethod
    def ready(self) -> str:
        """The address that answers once the server is up."""

    def start(self, seconds: float = 90) -> Server:
        for _ in range(3):  # the port may be taken between the probe and the server
            self.port = free_port()
            self.url = f"http://127.0.0.1:{self.port}"
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    self.command(self.port), env=self.environment(), stdout=log, stderr=log, start_new_session=True
                )
            end = time.monotonic() + seconds
            while time.monotonic() < end and self.process.poll() is None:
                try:
                    urllib.request.urlopen(self.ready(), timeout=5).close()
                    return self
                except OSError:
                    time.sleep(0.1)
            self.stop()
        raise RuntimeError(f"the server did not start:\n{self.log.read_text()[-3000:]}")

    def stop(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()


class Lab(Server):
    """JupyterLab without news, updates or saving by itself."""

    def start(self, seconds: float = 90) -> Server:
        for name, settings in {
            "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
            "apputils-extension/themes": {"theme": os.environ.get("LAB_THEME", "JupyterLab Light")},
            "docmanager-extension/plugin": {"autosave": False},
        }.items():
            file = self.home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(settings))
        return super().start(seconds)

    def command(self, port: int) -> list[str]:
        return [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
            *("--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0"),
            *(f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={self.notebooks}"),
            *("--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"),
            "--ServerApp.terminals_enabled=False",
        ]

    def ready(self) -> str:
        return f"{self.url}/api/status?token={self.token}"

    def ask(self, path: str, method: str = "GET") -> bytes:
        """What the server answers about `/api/PATH`."""
        address = f"{self.url}/api/{path}?token={self.token}"
        with urllib.request.urlopen(urllib.request.Request(address, method=method), timeout=30) as answer:
            return bytes(answer.read())

    def stop_kernels(self) -> None:
        """End every kernel, as a restart of the server would."""
        for session in json.loads(self.ask("sessions")):
            self.ask(f"sessions/{session['id']}", "DELETE")


class Voila(Server):
    """The pages of `make app`, by the very command of the Makefile."""

    def environment(self) -> dict[str, str]:
        return {**super().environment(), "JUPYTER_PATH": str(ROOT / "data" / "jupyter")}

    def command(self, port: int) -> list[str]:
        recipe = (ROOT / "Makefile").read_text().partition("\napp: ")[2].partition("\n\n")[0]
        told = shlex.split(recipe.partition("$(BIN)/voila notebooks ")[2])
        assert told, recipe
        return [
            *(sys.executable, "-m", "voila", str(self.notebooks), *told),
            *("--no-browser", f"--Voila.port={port}", "--Voila.port_retries=0"),
        ]

    def ready(self) -> str:
        return f"{self.url}/"


def cache_folder() -> str:
    """Where compiled rules lie for the user who runs the tests."""
    from tkg.rules.kernel import CACHE

    return str(CACHE.parents[1])
