"""Scoring runs against qrels: time and memory beside pytrec_eval, ir_measures, ranx, and polars merely reading.

`python -m benchmarks retrieval [--sizes a b c] [--rounds 3] [--data DIR] [--peer-venv DIR]`. Contestants take turns,
each in a new process, ratios are taken within a round. Milliseconds, as of size b, are the best of ten evaluations in
one process; `first` is the first of them, with all that a library does only once. `cpu` is the time of all processors
together. ranx brings its own compiler: it runs in a virtual environment of its own, made at DIR if it is not
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
PARTS = ("load", "compute", "first", "cpu")
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
    columns = f"{'load':>8} {'compute':>8} {'first':>8} {'cpu':>8} {'seconds, min/median/max':>24} {'GB':>6}"
    print(f"{'':14} {'version':9} {columns}  times ragvet, min/median/max")
    for name in ("ragvet", *peers):
        found = [one for one in rounds if name in one]
        total = [_total(one[name]) for one in found]
        ratio = [_total(one[name]) / _total(one["ragvet"]) for one in found]
        parts = " ".join(f"{statistics.median(one[name][part] for one in found):8.3f}" for part in PARTS)
        memory = max(one[name]["memory"] for one in found)
        version = found[0][name]["version"]
        print(f"{name:14} {version:9} {parts} {_spread(total):>24} {memory:6.2f}  {_spread(ratio)}", flush=True)


def _total(measured: dict[str, Any]) -> float:
    return measured["load"] + measured["compute"]


def _spread(values: list[float]) -> str:
    return f"{min(values):.3f} / {statistics.median(values):.3f} / {max(values):.3f}"


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
