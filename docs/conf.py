"""The documentation site: `make docs` builds it with warnings as errors."""

import importlib.metadata
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from _generated import write_reference
from pygments.lexers.data import JsonLexer
from sphinx.application import Sphinx
from sphinx.highlighting import lexers

project = "ragvet"
author = "the ragvet authors"
copyright = "the ragvet authors, Apache-2.0"  # noqa: A001  # Sphinx reads this name
version = release = importlib.metadata.version("ragvet")

lexers["jsonl"] = JsonLexer()

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "ragvet"
html_copy_source = False
html_show_sphinx = False


def setup(app: Sphinx) -> None:
    """Write the pages that follow from the code before Sphinx reads the sources."""
    app.connect("builder-inited", lambda app: write_reference(Path(app.srcdir) / "reference"))
