"""Files and folders of files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tkg.rules.errors import Refused


@contextmanager
def whole_file(path: str | Path, force: bool = False) -> Iterator[Path]:
    """A name of its own beside `path` to write to; it becomes `path` at the end, or is removed if anything fails.

    An existing file is refused without `force`, and so is a place that cannot be written to.
    """
    path = Path(path)
    check_place(path, force)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}") from None
    part = Path(name)
    try:
        os.close(handle)
        part.chmod(0o666 & ~current_umask())
        yield part
        part.replace(path)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)


def check_place(path: Path, force: bool) -> None:
    """Refuse what is no name of a file, a file that is there, unless with `force`, and a folder that is not."""
    if path.is_dir():
        raise Refused(f"{path} is a folder; the name of a file is needed")
    if path.exists() and not force:
        raise Refused(f"{path} exists; --force (force=True) replaces it")
    if not path.parent.is_dir():
        raise Refused(f"{path}: there is no folder {path.parent}")


@contextmanager
def whole_folder(out: str | Path, chief: str, force: bool = False) -> Iterator[Path]:
    """A folder to write to; at the end its files go to the folder `out`, which is made if need be, or nothing does.

    Where `out` has a file named `chief` already it is refused without `force`, and so is a place that cannot be written to.
    """
    out = Path(out)
    if (out / chief).exists() and not force:
        raise Refused(f"{out / chief} exists; --force (force=True) replaces it")
    made_here = not out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=".part-") as made:
            yield Path(made)
            for file in sorted(Path(made).iterdir()):
                file.replace(out / file.name)
    except OSError as error:
        raise Refused(f"{out} cannot be written: {error.strerror or error}") from None
    finally:
        if made_here and out.is_dir() and not any(out.iterdir()):
            out.rmdir()


def current_umask() -> int:
    """What new files may not allow; mkstemp would keep them from everybody else."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
