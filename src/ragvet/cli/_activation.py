"""How a reader reaches this `ragvet` by its name."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

__all__ = ["activation"]


def activation() -> dict[str, str]:
    """The command that puts this `ragvet` on the path, and what it is for; empty where typing `ragvet` reaches it."""
    own = Path(sys.prefix) / "bin"
    found = shutil.which("ragvet")
    if found is not None and Path(found).parent.resolve() == own.resolve():
        return {}
    script = own / "activate"
    if not script.exists():
        return {}
    here = Path.cwd()
    shown = os.path.relpath(script, here) if script.is_relative_to(here) else str(script)
    return {f". {shlex.quote(shown)}": "puts ragvet on the path of this shell"}
