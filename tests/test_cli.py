"""The command line as a person and as a program meet it: whole processes where it matters, `main` elsewhere."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib import import_module

import polars as pl
import pytest
from commands import run

import tkg
from tkg.cli import build_parser


def test_games_lists_every_knob_and_reading(capsys):
    status, out, _ = run(capsys, "games", "rift")
    assert status == 0
    for name in ("side = 3", "supply = 15", "deck = reference", "hop = once", "full_boundary = true"):
        assert name in out
    status, out, _ = run(capsys, "games", "rift", "--json")
    told = json.loads(out)
    assert {s["name"] for s in told["settings"]} >= {"side", "deck", "supply", "hand", "standing"}
    assert all(s["meaning"] and s["clause"] and s["range"] for s in told["settings"])


def test_simulate_prints_intervals_and_json_agrees(capsys):
    status, out, err = run(capsys, "simulate", "rift", "-n", 300, "--seed", 1)
    assert status == 0
    assert out.startswith("rift(), bots random, 300 games, seed 1")
    assert "stand-in" in err
    _, text, _ = run(capsys, "simulate", "rift", "-n", 300, "--seed", 1, "--json")
    told = json.loads(text)
    assert told["game"] == "rift"
    assert told["variant"] == "rift()"
    gate = told["measures"]["gate"]
    assert gate["n"] == 300
    assert gate["low"] < gate["mean"] < gate["high"]
    assert set(told["measures"]) >= {"win", "stable_gate", "points", "decisions", "options/build", "choices/move"}
    assert f"{gate['mean']:.4g}" in out


def test_random_play_has_the_known_means(capsys):
    """Means of the independent implementation, each within four standard errors of both runs of 3,000 games."""
    _, text, _ = run(capsys, "simulate", "rift", "-n", 3000, "--bots", "random", "--seed", 1, "--json")
    found = json.loads(text)["measures"]
    for name, mean in {"gate": 17.9, "void": 33.4, "points": 2.97, "built": 5.05}.items():
        error = (found[name]["high"] - found[name]["low"]) / 2 / 1.96
        assert abs(found[name]["mean"] - mean) < 4 * error * 2**0.5, name


def test_the_exploit_wins_its_known_share(capsys):
    """Hoarding wins about 31% of default deals if the ring need not be complete: 2,000 games have an error of 1%."""
    _, text, _ = run(
        capsys, "simulate", "rift", "-n", 2000, "--bots", "hoarder", "--set", "full_boundary=false", "--json"
    )
    assert abs(json.loads(text)["measures"]["win"]["mean"] - 0.31) < 0.04
    settings = ["--set", "full_boundary=false", "--set", "supply=5"]
    _, text, _ = run(capsys, "simulate", "rift", "-n", 500, "--bots", "hoarder", *settings, "--json")
    assert json.loads(text)["measures"]["win"]["mean"] > 0.98


def test_random_play_of_cosmic_has_the_known_means(capsys):
    """Means of an independent implementation over 2,000 games, within four standard errors of both runs."""
    _, text, _ = run(capsys, "simulate", "cosmic", "-n", 2000, "--bots", "random", "--seed", 1, "--json")
    found = json.loads(text)["measures"]
    for name, mean in {"turns": 178.5, "ending/alignment": 0.41, "ending/captures": 0.59}.items():
        error = (found[name]["high"] - found[name]["low"]) / 2 / 1.96
        assert abs(found[name]["mean"] - mean) < 4 * error * 2**0.5, name
    assert found["win/1"]["mean"] + found["win/2"]["mean"] == pytest.approx(1)


def test_four_players_of_cosmic_have_the_known_means(capsys):
    _, text, _ = run(capsys, "simulate", "cosmic", "-n", 1000, "--set", "players=4", "--json")
    found = json.loads(text)["measures"]
    for name, mean in {"turns": 306, "ending/alignment": 0.39, "ending/captures": 0.53, "ending/full": 0.08}.items():
        error = (found[name]["high"] - found[name]["low"]) / 2 / 1.96
        assert abs(found[name]["mean"] - mean) < 4 * error * 2**0.5 + 0.005, name
    assert sum(found[f"win/{seat}"]["mean"] for seat in range(1, 5)) == pytest.approx(1)
    assert found["won_by_others"]["mean"] / found["full_tiles"]["mean"] == pytest.approx(0.5, abs=0.05)


def test_random_play_of_umbra_has_the_known_means(capsys):
    """7.2 rounds, nearly all claimed, 6 to 8% of victories shared; at side 5 about 60% end stuck, and the summary says so."""
    _, text, _ = run(capsys, "simulate", "umbra", "-n", 2000, "--bots", "random", "--seed", 1, "--json")
    found = json.loads(text)["measures"]
    assert found["rounds"]["mean"] == pytest.approx(7.2, abs=0.1)
    assert found["ending/claimed"]["mean"] >= 1995 / 2000
    assert 0.05 < found["win_shared"]["mean"] < 0.09
    _, out, err = run(capsys, "simulate", "umbra", "-n", 300, "--set", "side=5")
    assert float(re.search(r"ending/stuck +([\d.]+)", out)[1]) == pytest.approx(0.6, abs=0.09)
    assert "get stuck" in err


def test_games_that_do_not_finish_are_told_and_counted(capsys):
    status, out, err = run(capsys, "simulate", "cosmic", "-n", 100, "--set", "life=6")
    assert status == 0
    assert "tend not to end" in err
    stopped = int(re.search(r"(\d+) of 100 games did not finish", out)[1])
    assert stopped > 80
    _, text, _ = run(capsys, "simulate", "cosmic", "-n", 100, "--set", "life=6", "--json")
    found = json.loads(text)["measures"]
    assert found["ending/unfinished"]["mean"] == stopped / 100
    assert found["win/1"]["n"] == 100


def test_seats_and_styles_are_told(capsys):
    status, out, _ = run(capsys, "simulate", "cosmic", "-n", 60, "--bots", "random-only-occupy,random-only-capture")
    assert status == 0
    assert len(re.findall(r"chi-square p", out)) == 2
    for name in ("win/1", "win/2", "win/random-only-occupy", "win/random-only-capture", "points/1", "ending/alignment"):
        assert name in out
    _, out, _ = run(capsys, "simulate", "cosmic", "-n", 40, "--bots", "random,random-only-capture", "--fixed-seats")
    assert "bots kept their seats" in out
    assert "only-occupy" in run(capsys, "games", "cosmic")[1]
    assert "rich-draft" in json.loads(run(capsys, "games", "cosmic", "--json")[1])["styles"]


def test_the_ladder_prints_its_tables_and_json_agrees(capsys):
    args = ("ladder", "umbra", "-n", 20, "--bots", "random,greedy", "--seed", 1, "--set", "players=3")
    status, out, err = run(capsys, *args)
    assert status == 0
    assert out.startswith("umbra(players=3), 20 deals, every two bots in all seats, seed 1; 95% intervals")
    assert "stand-in" in err
    _, text, err = run(capsys, *args, "--json")
    assert err == ""
    told = json.loads(text)
    assert (told["variant"], told["bots"], told["deals"], told["seed"]) == (
        "umbra(players=3)",
        ["random", "greedy"],
        20,
        1,
    )
    greedy = told["standings"][0]
    assert greedy["bot"] == told["anchor"] == "greedy"
    assert greedy["games"] == 20 * 6
    assert f"{greedy['share'] * 100:.1f}".removesuffix(".0") + "% (" in out
    assert told["verdict"] in out
    assert [step["verdict"] for step in told["steps"]] == ["climbs"]
    assert {cost["bot"] for cost in told["costs"]} == {"random", "greedy"}
    assert len(told["pairs"]) == 2


def test_the_ladder_keeps_its_tables_and_chart(tmp_path, capsys):
    folder = tmp_path / "new" / "ladder"
    args = ("ladder", "cosmic", "-n", 2, "--bots", "random,greedy", "--out", folder)
    status, out, _ = run(capsys, *args)
    assert status == 0
    assert str(folder) in out
    files = {
        "ladder.png",
        "ladder.svg",
        "ladder.pdf",
        "ladder.html",
        "ladder.csv",
        "ladder.parquet",
        "pairs.csv",
        "steps.csv",
    }
    assert {file.name for file in folder.iterdir()} == files
    assert pl.read_csv(folder / "ladder.csv")["player"].to_list() == ["greedy", "random"]
    status, out, err = run(capsys, *args)
    assert (status, out) == (2, "")
    assert "exists" in err
    assert run(capsys, *args, "--force")[0] == 0


def test_a_sweep_is_planned_played_kept_and_summed_up(tmp_path, capsys):
    args = ("sweep", "rift", "--vary", "supply=6;12", "--vary", "side=3..4", "--bots", "greedy", "--bots", "random",
            "-n", 40, "--seed", 2, "--to", tmp_path / "s")  # fmt: skip
    status, out, _ = run(capsys, *args, "--plan")
    assert status == 0
    assert "grid: supply (2) x side (2): 4 cells, bots greedy; random, seed 2" in out.splitlines()
    assert "8 runs of 40 games: 320 games, 0 of them played already" in out
    assert not (tmp_path / "s").exists()
    status, out, err = run(capsys, *args)
    assert status == 0
    assert "stand-in" in err
    rows = [re.split(r"  +", line) for line in out.splitlines()[1:]]
    assert rows[0] == ["supply", "side", "bots", "bot", "games", "win", "against the first"]
    assert [row[:5] for row in rows[1:3]] == [
        ["6", "3", "greedy", "greedy", "40"],
        ["6", "3", "random", "random", "40"],
    ]
    assert [row[6] for row in rows[1:3]] == ["-", "-"]
    assert len(rows) == 10
    assert out.splitlines()[-1] == f"games in {tmp_path / 's'}"
    _, text, err = run(capsys, *args, "--json")
    assert "320 of them played already" in err
    told = json.loads(text)
    assert len(told["cells"]) == 8
    one = next(c for c in told["cells"] if (c["supply"], c["side"], c["bot"]) == (12, 3, "greedy"))
    own = tkg.simulate(tkg.rift(supply=12), "greedy", 40, 2)["win"].sum()
    assert one["wins"] == own
    first = next(c for c in told["cells"] if (c["supply"], c["side"], c["bot"]) == (6, 3, "greedy"))
    assert one["difference"] == pytest.approx((one["wins"] - first["wins"]) / 40)


def test_a_study_file_is_played_by_name_and_its_stops_are_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("TKG_DATA", str(tmp_path))
    (tmp_path / "studies").mkdir()
    text = (
        'game = "rift"\nbots = "greedy"\ngames = 400\n[axes]\nsupply = [12, 6]\n[stop]\nrule = "compare"\nfirst = 20\n'
    )
    (tmp_path / "studies" / "easy.toml").write_text(text)
    status, out, err = run(capsys, "study", "easy")
    assert status == 0
    assert "played until it is settled whether win differs from the first cell's (95% in all)" in err
    assert re.search(
        r"^rift\(supply=6\) greedy: win is lower than in the first cell: .*common deals$", out, flags=re.MULTILINE
    )
    assert int(re.search(r"^6 +greedy +(\d+)", out, flags=re.MULTILINE)[1]) < 400


def test_greedy_wins_two_deals_in_five_and_contests(capsys):
    _, text, _ = run(capsys, "simulate", "rift", "-n", 400, "--bots", "greedy,random", "--json")
    found = json.loads(text)["measures"]
    assert found["win/greedy"]["low"] > 0.4
    assert found["contest/greedy"]["mean"] > 0.9
    assert found["contest/greedy"]["mean"] + found["contest/random"]["mean"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["simulate", "rift", "--set", "side=9"], ["side=9", "3-7"]),
        (["simulate", "rift", "--set", "side"], ["NAME=VALUE"]),
        (["simulate", "rift", "--set", "sides=4"], ["sides", "side, deck"]),
        (["simulate", "rift", "--set", "side=4", "--set", "side=5"], ["twice"]),
        (["simulate", "rift", "--set", "supply=1,2"], ["supply", "four"]),
        (["simulate", "rift", "--set", "supply=lots"], ["supply=lots", "0-255"]),
        (["simulate", "rift", "--set", "deck=nope"], ["nope", "reference"]),
        (["simulate", "rift", "--set", "gate=open"], ["gate=open", "tile, empty"]),
        (["simulate", "rift", "--bots", "gredy"], ["gredy", "greedy"]),
        (["simulate", "rift", "-n", "0"], ["games=0"]),
        (["simulate", "rift", "--seed", "-1"], ["seed", "2^53"]),
        (["simulate", "rift", "--workers", "0"], ["workers=0"]),
        (["simulate", "chess"], ["chess", "rift"]),
        (["simulate", "cosmic", "--set", "line=5"], ["line=5", "side, which is 4"]),
        (["simulate", "cosmic", "--bots", "greedy,greedy,greedy"], ["3 for 2 seats"]),
        (["simulate", "cosmic", "--bots", "greedy-onlyoccupy"], ["greedy-onlyoccupy", "only-occupy"]),
        (["simulate", "umbra", "--set", "tiles=straight"], ["tiles=straight", "straight:5"]),
        (["simulate", "umbra", "--set", "tiles=straight:101"], ["straight is 101", "0-100"]),
        (["simulate", "umbra", "--set", "tiles=strait:4"], ["strait", "straight"]),
        (["simulate", "umbra", "--set", "specials=some"], ["specials=some", "true or false"]),
        (["ladder", "chess"], ["chess", "rift"]),
        (["ladder", "cosmic", "--bots", "greedy"], ["at least two", "random,uct:100,greedy"]),
        (["ladder", "cosmic", "--bots", "random,greedy,random"], ["random is given twice"]),
        (["ladder", "cosmic", "--bots", "random,gredy"], ["gredy", "greedy"]),
        (["ladder", "cosmic", "-n", "1"], ["deals=1", "from 2"]),
        (["ladder", "cosmic", "--set", "side=9"], ["side=9"]),
        (["ladder", "cosmic", "--seed", "-1"], ["seed", "2^53"]),
        (["ladder", "cosmic", "--out", "/dev/null/x"], ["/dev/null/x"]),
        (["replay", "no/such/file.jsonl"], ["no/such/file.jsonl"]),
        (["simulate", "rift", "--out", "no/such/folder/f.parquet"], ["no/such/folder"]),
        (["simulate", "rift", "-n", "many"], ["many"]),
        (["frobnicate"], ["frobnicate"]),
        ([], ["COMMAND"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_slips_are_told_in_a_line_or_two(capsys, args, words):
    status, out, err = run(capsys, *args)
    assert status == 2
    assert out == ""
    assert len(err.strip().splitlines()) <= 2
    assert "Traceback" not in err
    for word in words:
        assert word in err


def test_records_replay_and_existing_files_are_kept(tmp_path, capsys):
    file = tmp_path / "games.jsonl"
    status, out, _ = run(capsys, "records", "rift", "-n", 5, "--bots", "greedy,random", "--seed", 3, "--out", file)
    assert status == 0
    assert "10 records" in out
    assert run(capsys, "replay", file)[:2] == (0, "10 ok, 0 bad\n")
    before = file.read_bytes()
    status, _, err = run(capsys, "records", "rift", "-n", 1, "--out", file)
    assert status == 2
    assert "exists" in err
    assert file.read_bytes() == before
    status, out, err = run(capsys, "replay", "--options", file)
    assert status == 0
    assert len(out.splitlines()) == 10
    assert err == "10 ok, 0 bad\n"
    told = json.loads(out.splitlines()[0])
    assert told[0]["seat"] == 1
    assert told[0]["options"] == sorted(told[0]["options"])


def test_replay_names_line_action_and_reason(tmp_path, capsys):
    file = tmp_path / "games.jsonl"
    run(capsys, "records", "rift", "-n", 2, "--seed", 3, "--out", file)
    lines = file.read_text().splitlines()
    record = json.loads(lines[1])
    record["actions"][4] = "build XX@Q"
    file.write_text("\n".join([lines[0], "", json.dumps(record), "{"]) + "\n")
    status, out, _ = run(capsys, "replay", file)
    assert status == 1
    told = out.splitlines()
    assert told[0].startswith("3: action 5: ")
    assert told[1].startswith("4: action 0: ")
    assert told[2] == "1 ok, 2 bad"


def test_simulated_rows_are_the_records_games(tmp_path, capsys):
    rows, games = tmp_path / "rows.parquet", tmp_path / "games.jsonl"
    run(capsys, "simulate", "rift", "-n", 4, "--bots", "greedy", "--seed", 9, "--out", rows)
    run(capsys, "records", "rift", "-n", 4, "--bots", "greedy", "--seed", 9, "--out", games)
    table = pl.read_parquet(rows)
    for row, line in zip(table.iter_rows(named=True), games.read_text().splitlines(), strict=True):
        record = json.loads(line)
        assert record["seed"] == row["game_seed"]
        assert record["players"] == ["greedy"]
        assert {k: row[k] for k in record["result"]} == record["result"]
    status, _, err = run(capsys, "simulate", "rift", "-n", 4, "--out", rows)
    assert status == 2
    assert "exists" in err


def test_output_cut_off_is_no_error():
    command = f"{sys.executable} -m tkg games rift --json | head -c 10"
    told = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert told.stderr == ""
    assert told.returncode == 0


def test_ctrl_c_leaves_nothing_half_written(tmp_path):
    out = tmp_path / "rows.parquet"
    command = [sys.executable, "-m", "tkg", "simulate", "rift", "-n", "100000000", "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "80"})
    for _ in range(600):
        if list(tmp_path.glob(".rows.parquet.*.part")):
            break
        time.sleep(0.1)
    for _ in range(3):  # impatience breaks off no tidying up
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_leaves_no_half_a_ladder(tmp_path):
    out = tmp_path / "ladder"
    command = [sys.executable, "-m", "tkg", "ladder", "cosmic", "-n", "1000000", "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if out.exists():
            break
        time.sleep(0.1)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "option", "library"),
    [
        (("ladder", "rift"), "deals", "ladders.DEALS"),
        (("skill", "rift"), "deals", "skills.DEALS"),
        (("skill", "rift"), "budgets", "skills.BUDGETS"),
        (("skill", "rift"), "below", "skills.BELOW"),
        (("restricted", "rift"), "deals", "ways.DEALS"),
        (("exploits", "rift"), "deals", "ways.DEALS"),
        (("exploits", "rift"), "fair", "ways.FAIR"),
        (("report",), "games", "report.page.CELL_GAMES"),
    ],
)
def test_defaults_are_those_of_the_library(command, option, library):
    module, _, name = library.rpartition(".")
    value = getattr(import_module(f"tkg.{module}"), name)
    told = getattr(build_parser().parse_args(command), option)
    assert told == (",".join(map(str, value)) if isinstance(value, tuple) else value)
