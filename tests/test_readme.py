"""What the README shows is what the program does."""

import re
import tomllib
from pathlib import Path

import tkg
from tkg.bots.registered import REGISTERED

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block_with(words):
    """The one block of Python in which these words stand."""
    [found] = [code for code in re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL) if words in code]
    return found


def test_the_ten_lines_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code = block_with("tkg.write_records")
    exec(compile(code, "README.md", "exec"), {})
    assert "share" in capsys.readouterr().out
    assert (tmp_path / "supply.svg").read_text().startswith("<svg")
    assert len(tkg.read_records(tmp_path / "games.jsonl")) == 1


def test_the_bot_of_ones_own_plays(capsys):
    code = block_with("register_bot")
    try:
        exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    finally:
        REGISTERED.clear()
    assert re.search(r"^cautious +random +\d", capsys.readouterr().out, flags=re.MULTILINE)


def test_a_position_of_ones_own_is_played_on(capsys):
    code = block_with("set_up")
    exec(compile(code, "README.md", "exec"), {})
    told = capsys.readouterr().out
    assert "refuse FA" in told
    assert "share" in told


def test_the_study_shown_is_the_one_that_lies_there():
    shown = re.search(r"```toml\n(.*?)```", README, flags=re.DOTALL)[1]
    shipped = (ROOT / "data/studies/rift_supply.toml").read_text(encoding="utf-8")
    assert tomllib.loads(shown) == tomllib.loads(shipped)


def test_a_sweep_is_kept_and_read(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TKG_DATA", str(tmp_path))
    code = block_with('to="small"')
    exec(compile(code, "README.md", "exec"), {})
    assert (tmp_path / "studies" / "small" / "study.json").is_file()
    assert re.search(r"supply.*games.*share", capsys.readouterr().out)


def test_a_chart_is_told_and_saved(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(block_with("save_chart"), "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("Line chart: win share by supply (Oinks)")
    pictures = {f"supply{dark}.{ending}" for dark in ("", "_dark") for ending in ("png", "svg", "pdf", "html")}
    assert {path.name for path in tmp_path.iterdir()} == pictures | {"supply.csv", "supply.parquet"}


def test_tension_is_measured(capsys):
    code = block_with("tkg.trace")
    exec(compile(code.replace("games=10, playouts=32", "games=3, playouts=12"), "README.md", "exec"), {})
    told = capsys.readouterr().out
    assert "drama" in told
    assert "part" in told


def test_skill_and_luck_are_measured(capsys):
    code = block_with("tkg.skill")
    for shown, quick in (("[4, 16], deals=20", "[1, 2], deals=4"), ("deals=20", "deals=4")):
        assert shown in code
        code = code.replace(shown, quick)
    exec(compile(code, "README.md", "exec"), {})
    told = capsys.readouterr().out
    for words in ("elo_spread", "deal_and_seating", "no-tile-moves", "greedy-lump", "q95"):
        assert words in told


def test_why_is_told(capsys):
    code = block_with("tkg.metrics.sensitivity")
    for shown, quick in (("games=200)", "games=20)"), ("games=1000)", "games=60)"), ("games=20,", "games=2,")):
        assert shown in code
        code = code.replace(shown, quick)
    exec(compile(code, "README.md", "exec"), {})
    told = capsys.readouterr().out
    for words in ("adjacency", "odds_ratio", "stable_gate"):
        assert words in told


def test_variants_and_readings_are_compared(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(block_with("tkg.compare"), "README.md", "exec"), {})
    told = capsys.readouterr().out
    assert "clearly more in B" in told
    assert "'shortfall': 'settle'" in told
    assert (tmp_path / "readings.svg").is_file()


def test_a_variant_is_looked_for_and_saved(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TKG_DATA", str(tmp_path))
    exec(compile(block_with("tkg.tune"), "README.md", "exec"), {})
    assert "target: win[greedy] 0.4 to 0.9" in capsys.readouterr().out
    assert tkg.load_variant("mine") == tkg.rift(supply=9, hop="again")


def position():
    """The position that the README shows: the tenth turn of a game of the greedy bot."""
    game = tkg.play_again(tkg.rift(), "greedy", 11)
    while game.view()["turn"] > 9 or game.kind != "build":
        game.undo()
    return game


def test_the_picture_is_drawn_by_the_program():
    assert (ROOT / "data/pictures/rift.svg").read_text(encoding="utf-8") == position()._repr_svg_()


def test_every_folder_named_exists():
    folders = README.partition("## Folders")[2]
    for name in re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \|", folders, flags=re.MULTILINE):
        for path in re.findall(r"`([^`]+)`", name):
            assert (ROOT / path).exists(), path


def test_every_command_named_exists(capsys):
    from tkg.cli import build_parser

    known = build_parser().format_help()
    for command in re.findall(r"^    tkg (\w+)", README, flags=re.MULTILINE):
        assert f"    {command}" in known


def test_every_make_target_named_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make (report|test|lab|constraints|setup|bench|check|clean)\b", README):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)
