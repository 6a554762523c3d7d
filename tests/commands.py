"""The command line run in this process, for tests."""

from __future__ import annotations

from typing import Any

from tkg.cli import main


def run(capsys: Any, *arguments: object) -> tuple[Any, str, str]:
    """(exit status, stdout, stderr) of `tkg` with these arguments."""
    try:
        status: Any = main([str(a) for a in arguments])
    except SystemExit as stop:
        status = stop.code
    told = capsys.readouterr()
    return status, told.out, told.err
