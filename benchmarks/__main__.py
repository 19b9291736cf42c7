"""`python -m benchmarks` runs every benchmark, `python -m benchmarks NAME [options]` one of them.

A benchmark is a module here with a function `main` that reads `sys.argv`. Modules named after another one, as
`retrieval_data` after `retrieval`, are its parts.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def names() -> list[str]:
    """The benchmarks, parts left out."""
    modules = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    return [name for name in modules if not any(name.startswith(f"{other}_") for other in modules)]


def main() -> None:
    known = names()
    chosen = sys.argv[1:2] if len(sys.argv) > 1 else known
    if not set(chosen) <= set(known):
        sys.exit(f"no benchmark {chosen[0]!r}; there are: {', '.join(known)}")
    options = sys.argv[2:]
    for name in chosen:
        print(f"== {name}", flush=True)
        sys.argv = [name, *options]
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
