"""Variants with a name of their own: kept as files in `data/variants`, loaded again by name or path.

A file is TOML: `game`, the table `settings` with every knob and reading, so that a default which changes later changes no
variant that has a name, and, where a search has found it, the table `found`, which tells what was looked for and what
came of it. A deck that is not shipped lies beside as a deck file, and the variant's file holds its digest.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tkg.files import whole_file
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.games import rules_of
from tkg.rules.knobs import Variant, parse_settings, parse_variant
from tkg.rules.tiles import SHIPPED, Deck, load_deck

VARIANTS, DECKS = "variants", "decks"
ENTRIES = ("game", "settings", "found")
SHIPPED_DATA = Path(__file__).resolve().parent.parent / "data"


def data_folders() -> list[Path]:
    """Where TKG_DATA points, if it is set, then `data` beside the package."""
    own = os.environ.get("TKG_DATA")
    return [Path(folder) for folder in ([own] if own else []) + [SHIPPED_DATA]]  # type: ignore[list-item]


def variant_names() -> list[str]:
    """The variants that can be loaded by name."""
    return sorted({path.stem for folder in data_folders() for path in (folder / VARIANTS).glob("*.toml")})


def variant_path(name: str | Path) -> Path:
    """Where a variant of this name is written: in `variants` of the data folder; a path is taken as it is."""
    text = os.fspath(name) if isinstance(name, (str, Path)) else ""
    bare = text.removesuffix(".toml")
    if not bare or Path(bare).name.startswith((".", "@")) or not set(Path(bare).name).isdisjoint('\\:*?"<>|\n#,'):
        raise Refused(f"variant {name!r}: a name of letters, digits, - and _, or a path that ends in one")
    if isinstance(name, Path) or "/" in text or os.sep in text or text != bare:
        return Path(f"{bare}.toml")
    return data_folders()[0] / VARIANTS / f"{bare}.toml"


def deck_path(path: Path) -> Path:
    """Where the deck of a variant's file is written: in `decks` beside a folder `variants`, else beside the file."""
    return (path.parent.parent / DECKS if path.parent.name == VARIANTS else path.parent) / f"{path.stem}.csv"


def refuse_existing(paths: Sequence[Path], way_out: str) -> None:
    """Refuse files that are there already."""
    there = [str(path) for path in paths if path.exists()]
    if there:
        raise Refused(f"{' and '.join(there)}: there already; {way_out} --force (force=True)")


def save_variant(
    variant: Variant, name: str | Path, found: Mapping[str, Any] | None = None, force: bool = False
) -> list[Path]:
    """Write a variant's file, and its deck's unless that is shipped; the paths, the variant's own first.

    `name` is a plain one, and the files go to `variants/NAME.toml` and `decks/NAME.csv` of the data folder; or a path, and the
    deck goes beside the variant. `found` is written into the table of that name. Existing files are refused without `force`.

    >>> import tkg
    >>> paths = tkg.save_variant(tkg.rift(supply=6), "tight")  # doctest: +SKIP
    """
    path = variant_path(name)
    deck_file = deck_path(path)
    written = [path]
    settings: dict[str, Any] = {}
    for declared in variant.rules.DECLARED:
        value = variant[declared.name]
        settings[declared.name] = value if isinstance(value, (bool, int)) else declared.text(value)
        if isinstance(value, Deck) and SHIPPED.get(value.name) != value.digest:
            variant = variant.but(**{declared.name: Deck(value, path.stem)})
            folder = "" if deck_file.parent == path.parent else f"../{DECKS}/"
            settings[declared.name] = f"{folder}{deck_file.name}#{value.digest}"
            written.append(deck_file)
    if not force:
        refuse_existing(written, "replace it by")
    for place in written:
        place.parent.mkdir(parents=True, exist_ok=True)
    for deck in [v for v in variant.values() if isinstance(v, Deck)] if written[1:] else []:
        with whole_file(deck_file, force=True) as part:
            part.write_text(deck.csv(), encoding="utf-8")
    lines = [f"# {variant}", f"game = {toml_value(variant.game)}", "", "[settings]"]
    lines += [f"{key} = {toml_value(value)}" for key, value in settings.items()]
    if found:
        lines += ["", "[found]", *(f"{key} = {toml_value(value)}" for key, value in found.items())]
    with whole_file(path, force=True) as part:
        part.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return written


def toml_value(value: Any) -> str:
    """A text, number, truth value or list of them as TOML writes it: these are written as in JSON."""
    return json.dumps(value, ensure_ascii=False)


def load_variant(name: str | Path) -> Variant:
    """The variant that was saved under a name, in `variants` where TKG_DATA points or in `data`, or in a file by its path.

    `@NAME` stands for it where the text of a variant is asked for, and on the command line where a game is.
    """
    if (path := variant_path(name)).parent.name == VARIANTS and not path.is_file():
        path = next((p for f in data_folders() if (p := f / VARIANTS / path.name).is_file()), path)
    if not path.is_file():
        names = variant_names()
        raise Refused(
            f"variant {str(name)!r}: there is no file {path}; saved are {', '.join(names) or 'none'}"
            f"{did_you_mean(name, names)}"
        )
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        for entry in told:
            if entry not in ENTRIES:
                raise Refused(f"no entry {entry!r}; there are {', '.join(ENTRIES)}{did_you_mean(entry, ENTRIES)}")
        if not isinstance(told.get("game"), str) or not isinstance(told.get("settings"), dict):
            raise Refused("game (a text) and the table [settings] are needed")
        return read_settings(rules_of(told["game"]), told["settings"], path.parent)
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, Refused) as error:
        raise Refused(f"{path}: {error}") from None


def variant_from(given: object, what: str = "variant") -> Variant:
    """A variant, also from its text, such as `rift(supply=12)`, from its game's name, or from `@NAME` as which it was saved."""
    if isinstance(given, Variant):
        return given
    if isinstance(given, str):
        return load_variant(given[1:]) if given.startswith("@") else parse_variant(given)
    raise Refused(
        f"{what}={given!r}: a variant is needed, its text as str(variant) gives it, a game's name, or @NAME of a saved one"
    )


def read_settings(rules: Any, settings: Mapping[str, Any], folder: Path) -> Variant:
    """The variant of a file's settings; texts are read as on the command line, and deck files found from its folder."""
    texts = {name: value for name, value in settings.items() if isinstance(value, str)}
    files = {name: text for name, text in texts.items() if text.partition("#")[0].endswith(".csv")}
    read = {**settings, **parse_settings(rules, {name: t for name, t in texts.items() if name not in files})}
    for name, text in files.items():
        file, _, digest = text.partition("#")
        deck = load_deck(folder / file)
        if digest and deck.digest != digest:
            raise Refused(f"{name}: {folder / file} has changed since the variant was saved (it is {deck.label} now)")
        read[name] = deck
    return Variant(rules, **read)
