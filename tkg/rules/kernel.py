"""What compiles the rules, and what finds a game's rules from the dtype of its state.

Everything that depends on the compiler being on or off stands in this file: `kernel` and `loop` are
plain pass-throughs under NUMBA_DISABLE_JIT=1, and `Verb` then dispatches in Python instead of at compile time.
"""

import atexit
import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs
from numba.core import types
from numba.core.types.misc import unliteral
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.np import linalg
from numba.np.numpy_support import from_dtype

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED = ("rules", "bots")
KEEP_DAYS = 30


def sources_hash() -> str:
    """Eight hex digits of every source that compiled code can come from."""
    digest = hashlib.sha256()
    for part in COMPILED:
        for file in sorted((PACKAGE / part).rglob("*.py")):
            digest.update(file.relative_to(PACKAGE).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:8]


def use_cache() -> Path:
    """Point numba at a folder that belongs to these sources alone, and return it.

    numba notices an edit in the file of the cached function only, so callers in other files would go on
    running old rules. A cache folder that cannot be written is replaced by one that lasts for the process.
    """
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("tkg")) / "compiled"
    folder = base / LOADED
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        probe = folder / f".{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        print(f"note: {base} cannot be written, so the rules are compiled anew, which takes a minute", file=sys.stderr)
        folder = Path(tempfile.mkdtemp(prefix="tkg-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    else:
        forget_old(base, folder)
    numba.config.CACHE_DIR = str(folder)
    return folder


def forget_old(base: Path, current: Path) -> None:
    """Remove the caches of sources that nobody has run for a month."""
    with contextlib.suppress(OSError):  # another process may be tidying up at the same time
        for folder in base.iterdir():
            if folder != current and time.time() - folder.stat().st_mtime > KEEP_DAYS * 86400:
                shutil.rmtree(folder, ignore_errors=True)


def put_off_scipy() -> None:
    """Let scipy.linalg wait until compiled code multiplies matrices, which no rule does.

    numba imports it before anything is compiled or fetched from the cache, only to see whether it is there, and that
    takes longer than all the rules of a game. It is there, for this package needs it; and numba asks again for what does use it.
    """
    check = getattr(linalg, "ensure_blas", None)

    def agree_once() -> None:
        linalg.ensure_blas = check

    if check is not None and "numba.np.arraymath" not in sys.modules:  # which asks as it is imported
        linalg.ensure_blas = agree_once


LOADED = sources_hash()
CACHE = use_cache()
COMPILING = not numba.config.DISABLE_JIT
if COMPILING:
    put_off_scipy()

# Without the entry for C callbacks, into which numba would copy every function once more.
INNER = {"no_cfunc_wrapper": True}


def wide(kind: Any) -> Any:
    """The type that an argument is compiled as: whole numbers, constants and narrow ones too, as the widest."""
    kind = unliteral(kind)
    return types.int64 if kind in types.signed_domain else kind


def once(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`numba.njit`, but compiled once whether callers give constants, narrow whole numbers or wide ones.

    numba would compile a function anew for each constant that it is called with, which inlining makes use of anyway.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        made = numba.njit(cache=True, **options)(function)
        if COMPILING:
            find = made.get_call_template
            made.get_call_template = lambda args, kws: find([*map(wide, args)], {k: wide(v) for k, v in kws.items()})
        return made

    return decorate


# A rule: inlined into its callers, since calls between rules cost more than the rules do.
kernel = once(forceinline=True, **INNER)
# Larger pieces of code that are called from several places and would multiply the compilation if inlined. Without the
# explicit False a routine inherits `forceinline` from the first rule that calls it.
routine = once(forceinline=False, **INNER)
# Thin layers over large pieces: spliced into the caller's source before anything is compiled. Every layer that is a
# function of its own has all that lies beneath it optimised once more.
spliced = numba.njit(cache=True, inline="always", **INNER)
# The outermost loops: entered from Python, and run in several threads at once.
loop = once(nogil=True, forceinline=False)


class Verb:
    """A function that every game gives for itself, found by the dtype of its first argument.

    Compiled code resolves it while compiling, so generic loops are cached on disk and cost nothing more than
    loops written for one game. Rules passed as arguments would never be found in the cache.
    """

    def __init__(self, name: str, arguments: str):
        self.name = name
        self.bodies: dict[np.dtype, Callable[..., Any]] = {}
        self.types: dict[types.Type, Any] = {}
        scope: dict[str, Any] = {"verb": self}
        first = arguments.split(",")[0].strip()
        source = f"def {name}({arguments}):\n    return verb.body({first}.dtype)({arguments})\n"
        exec(source, scope)
        self.call = scope[name]
        self.call.verb = self
        if COMPILING:
            found = type(f"Found_{name}", (Found,), {"key": self.call, "verb": self})
            infer_global(self.call, types.Function(found))

    def body(self, dtype: np.dtype) -> Callable[..., Any]:
        return self.bodies[dtype]

    def register(self, dtype: np.dtype, body: Callable[..., Any]) -> None:
        self.bodies[dtype] = self.bodies[np.dtype((np.record, dtype))] = body
        if COMPILING:
            self.types[from_dtype(dtype)] = body


class Found(AbstractTemplate):
    """How the compiler types a call of a verb: as a call of what the game of the first argument's type gives.

    `numba.extending.overload` would compile that once more, beside what callers in the game's own file compile.
    """

    verb: Verb

    def __init__(self, context: Any):
        super().__init__(context)
        self.entries: dict[tuple[types.Type, ...], Any] = {}

    def generic(self, args: Any, kws: Any) -> Any:
        body = self.verb.types.get(args[0])
        if body is None:
            return None
        kind: Any = types.Dispatcher(body)
        signature = kind.get_call_type(self.context, args, kws)
        self.entries[signature.args] = kind.get_overload(signature)
        return signature

    def get_impl_key(self, signature: Any) -> Any:
        return self.entries[signature.args]


def verb(name: str, arguments: str) -> Callable[..., Any]:
    """Declare a function that games fill in with `gives`; how it is compiled is settled by what they give."""
    return Verb(name, arguments).call


def gives(function: Callable[..., Any], dtype: np.dtype, body: Callable[..., Any]) -> None:
    """Let `body` be what `function` does for states of `dtype`."""
    function.verb.register(dtype, body)  # type: ignore[attr-defined]


def records(dtype: np.dtype, n: int = 1) -> np.ndarray:
    """`n` zeroed records, readable by field name with the compiler on and off."""
    return np.zeros(n, dtype).view(np.recarray)
