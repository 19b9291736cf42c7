"""Puts what `ragvet demo` really prints into README.md: python scripts/renew_readme.py (on Python 3.11)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"(?<=^\$ ragvet demo  # exit code 1\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)


def main() -> None:
    """Run the demo in an empty folder and replace the block of the README."""
    programs = str(Path(sys.executable).parent)
    on_the_path = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}  # else the demo says how to put it there
    with tempfile.TemporaryDirectory() as folder:
        printed = subprocess.run(
            [f"{programs}/ragvet", "demo"],
            cwd=folder,
            env={**os.environ, **on_the_path, "COLUMNS": "110", "NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        ).stdout
    story, ending, _ = printed.partition("Every case with its evidence")  # then: the report's place, what to type next
    if not ending:
        raise SystemExit("the demo no longer prints the line that ends the block; correct this script")
    block = "".join(f"{line.rstrip()}\n" for line in (*story.strip().splitlines(), "..."))
    text, replaced = BLOCK.subn(lambda _: block, README.read_text("utf-8"))
    if replaced != 1:
        sys.exit(f"{README}: no block that begins with `$ ragvet demo  # exit code 1`")
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
