"""Scoring runs against qrels: time and memory beside pytrec_eval, ir_measures, ranx, and polars merely reading.

`python -m benchmarks retrieval [--sizes a b c] [--rounds 3] [--only NAME ...] [--data DIR] [--peer-venv DIR]`

Contestants take turns, each in a new process. `wall` is time on the clock, `cpu` that of all processors together,
which other work on the machine disturbs less; ratios are taken within a round. Milliseconds, as of size b, are the best
of ten evaluations in one process; `first` is the first of them, with all that a library does only once. All have to
find the same means. ranx brings its own compiler: it runs in a virtual environment of its own, made at DIR if it is not
there, and is left out without `--peer-venv`. Size d, 10,000,000 x 10, is for ragvet alone.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

from benchmarks.retrieval_data import SIZES, files

HERE = Path(__file__).parent
TOLERANCE = 1e-6  # trec_eval keeps scores in single precision and may order near ones otherwise
SLOW = {"ir_measures", "ranx"}  # one round of them says enough


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=["a", "b", "c"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="contestants beside ragvet")
    parser.add_argument("--data", type=Path, help="where the files are kept; a temporary folder otherwise")
    parser.add_argument("--peer-venv", type=Path, help="where ranx lives, made if it is not there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.data or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for size in options.sizes:
            _compare(size, folder, options)


def _compare(size: str, folder: Path, options: argparse.Namespace) -> None:
    qrels, run = files(size, folder)
    shape = SIZES[size]
    print(f"\n({size}) {shape.queries:,} x {shape.depth:,}{' graded' if shape.graded else ''}", flush=True)
    peers = {"ragvet_bounds": sys.executable, "read": sys.executable}
    if size != "d":
        peers |= {"pytrec_eval": sys.executable, "ir_measures": sys.executable}
        if options.peer_venv:
            peers["ranx"] = _peer(options.peer_venv)
    if options.only:
        peers = {name: python for name, python in peers.items() if name in options.only}
    rounds: list[dict[str, dict[str, Any]]] = []
    for number in range(options.rounds):
        rounds.append({})
        for name, python in {"ragvet": sys.executable, **peers}.items():
            if number == 0 or name not in SLOW:
                rounds[-1][name] = _measure(python, name, (qrels, run), 10 if size == "b" else 1)
    _refuse_different_means(rounds[0])
    parts = f"{'load':>7} {'compute':>7} {'first':>7} {'GB':>5}"
    print(f"{'':14} {'version':8} {parts}  {'wall: min/median/max':24} times ragvet")
    for name in ("ragvet", *peers):
        found = [(one[name], one["ragvet"]) for one in rounds if name in one]
        load, compute, first = (
            statistics.median(own[part] for own, _ in found) for part in ("load", "compute", "first")
        )
        memory = max(own["memory"] for own, _ in found)
        version = found[0][0]["version"]
        wall, cpu = (
            (
                _spread([own[clock] for own, _ in found]),
                _spread([own[clock] / ragvet[clock] for own, ragvet in found], 2),
            )
            for clock in ("wall", "cpu")
        )
        print(f"{name:14} {version:8} {load:7.3f} {compute:7.3f} {first:7.3f} {memory:5.2f}  {wall[0]:24} {wall[1]}")
        print(f"{'':14} {'':8} {'':7} {'':7} {'':7} {'cpu':>5}  {cpu[0]:24} {cpu[1]}", flush=True)


def _refuse_different_means(measured: dict[str, dict[str, Any]]) -> None:
    ours = measured["ragvet"]["means"]
    for name, one in measured.items():
        close = all(abs(a - b) <= TOLERANCE for a, b in zip(ours, one["means"], strict=False))
        if name != "ragvet_bounds" and not close:
            sys.exit(f"{name} finds {one['means']}, ragvet {ours}")


def _spread(values: list[float], digits: int = 3) -> str:
    return " / ".join(f"{value:.{digits}f}" for value in (min(values), statistics.median(values), max(values)))


def _measure(python: str, name: str, inputs: tuple[Path, Path], times: int) -> dict[str, Any]:
    command = [python, str(HERE / "retrieval_contestants.py"), name, *map(str, inputs), str(times)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def _peer(folder: Path) -> str:
    python = folder / "bin" / "python"
    if not python.exists():
        print(f"making {folder} with ranx ...", flush=True)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "ranx"], check=True, stderr=subprocess.DEVNULL)
    return str(python)


if __name__ == "__main__":
    main()
