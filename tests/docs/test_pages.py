"""Every code block of README.md and docs/ is run, page by page, in one fresh folder per page.

- `python`: executed; `>>>` lines are doctests. Blocks of a page share one namespace.
- `bash`: each block must end with exit code 0.
- `console`: lines after `$ ` are commands; what follows is compared with their output, `...` standing for anything.
  A command written with the comment `# exit code 1` must end with that code.
- any block whose first line is a comment with nothing but a file name (`# app.py`): what follows is that file.
- `text` right after a `bash` block is what the block printed.
- `<!--- skip: next "reason" -->` before a block skips it; the reason is obligatory. A condition may stand before it:
  `<!--- skip: start if(not data, reason="…") -->` skips where the real data of a page below docs/worked is absent; the
  blocks find it in `$DATA`, their scripts in `$EXAMPLE`. `python` is the version the tests run with, as (3, 11).
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from unittest import SkipTest

import pytest
from sybil import Document, Example, Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.myst import CodeBlockParser, PythonCodeBlockParser, SkipParser

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    page.relative_to(ROOT).as_posix()
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"))
    if page.exists() and not {"_build", "reference"} & set(page.relative_to(ROOT).parts)
)
FILE_NAME = re.compile(r"^(?:#|//) ([\w./-]+\.\w+)\n")
EXIT_CODE = re.compile(r"# exit code (\d+)\s*$")


def run(command, expected=0):
    """What a command printed (both streams), after its exit code was checked."""
    if command.split()[0] == "make":  # a target of this repository; running it inside its own tests would recurse
        folder, command = ROOT, re.sub(r"^make\b", "make --dry-run", command, flags=re.MULTILINE)
    else:
        folder = Path.cwd()
    scripts = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "110",
        "NO_COLOR": "1",
        "PYTHONWARNINGS": "default",
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == expected, f"exit code {done.returncode}, not {expected}:\n$ {command}\n{done.stdout}"
    return done.stdout


def alike(expected, printed):
    """Whether `printed` reads as `expected`: runs of spaces count as one, `...` stands for anything."""
    pattern = ".*?".join(re.escape(part) for part in _plain(expected).split("..."))
    return re.fullmatch(pattern, _plain(printed), flags=re.DOTALL) is not None


def _plain(text):
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def write_file(example: Example) -> bool:
    """Whether the block is a file; it then lies in the page's folder."""
    name = FILE_NAME.match(example.parsed)
    if name:
        path = Path(name[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(example.parsed[name.end() :], encoding="utf-8")
    return bool(name)


def bash(example: Example) -> None:
    if not write_file(example):
        example.namespace["printed"] = (example.end, run(example.parsed))


def text(example: Example) -> None:
    end, printed = example.namespace.get("printed", (None, ""))
    if end is not None and not example.document.text[end : example.start].strip("`\n "):
        assert alike(example.parsed, printed), f"the block shows\n{example.parsed}\nbut the command printed\n{printed}"


def console(example: Example) -> None:
    commands = re.split(r"^\$ ", example.parsed, flags=re.MULTILINE)[1:]
    assert commands, "a console block needs a line that begins with `$ `"
    for entry in commands:
        command, output = re.match(r"((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", entry, flags=re.DOTALL).groups()
        code = EXIT_CODE.search(command)
        printed = run(command, int(code[1]) if code else 0)
        assert not output.strip() or alike(output, printed), f"$ {command}\nshown:\n{output}\nprinted:\n{printed}"


class Python(PythonCodeBlockParser):
    """Python blocks, except those that are files."""

    def __init__(self) -> None:
        super().__init__(doctest_optionflags=doctest.ELLIPSIS)
        execute = PythonEvaluator()
        self.codeblock_parser = CodeBlockParser(
            "python", lambda example: None if write_file(example) else execute(example)
        )


FILES = ("toml", "yaml", "json", "jsonl")
PARSERS = [
    Python(),
    CodeBlockParser("bash", bash),
    CodeBlockParser("console", console),
    CodeBlockParser("text", text),
    *(CodeBlockParser(language, lambda example: write_file(example) and None) for language in FILES),
    SkipParser(),
]


def folders(page: Path) -> dict[str, str]:
    """Where a page of docs/worked finds its example and, where it is there, its data."""
    found = {"EXAMPLE": str(ROOT / "examples" / page.stem)}
    data = [path for path in (ROOT.parent / "shared" / "data").glob("*") if path.name.endswith(page.stem)]
    return found | ({"DATA": str(data[0])} if data else {})


def evaluate(document: Document) -> None:
    document.namespace |= {"data": "DATA" in os.environ, "python": sys.version_info[:2]}
    for example in document.examples():
        try:
            example.evaluate()
        except SkipTest:
            continue
        except Exception as error:
            error.add_note(f"in the block at {example.path}:{example.line}")
            raise


@pytest.mark.parametrize("page", PAGES)
def test_every_code_block_of_the_page_works_as_shown(page, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    if "worked" in page:
        for name, value in folders(Path(page)).items():
            monkeypatch.setenv(name, value)
    known = set(sys.modules)
    with chdir(tmp_path):
        evaluate(Sybil(PARSERS, path=str(ROOT)).parse(ROOT / page))
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("page", PAGES)
def test_every_skipped_block_says_why(page):
    skips = re.findall(r"<!---? *skip: *(?:next|start)(.*?)-->", (ROOT / page).read_text("utf-8"))
    assert all(reason.strip().strip("\"'") for reason in skips)


def test_the_runner_finds_a_block_that_does_not_hold(tmp_path):
    page = tmp_path / "page.md"
    for block in ("```python\nassert 1 == 2\n```\n", "```bash\nfalse\n```\n", "```console\n$ echo a\nb\n```\n"):
        page.write_text(block)
        with chdir(tmp_path), pytest.raises(AssertionError):
            evaluate(Sybil(PARSERS, path=str(tmp_path)).parse(page))


def test_a_python_block_that_begins_with_a_file_name_is_that_file(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\n# part.py\nraise SystemExit(1)\n```\n\n```python\nanswer = 42\n```\n")
    with chdir(tmp_path):
        evaluate(Sybil(PARSERS, path=str(tmp_path)).parse(page))
    assert (tmp_path / "part.py").read_text() == "raise SystemExit(1)\n"


def test_shown_output_may_leave_out_parts():
    assert alike("a ... c\n...\nz", "a b c  \nmore\nlines\nz\n")
    assert not alike("a\nz", "a\nb\nz")


def test_commands_see_the_interpreter_the_tests_run_with():
    assert Path(run(f"{shlex.quote('python')} -c 'import sys; print(sys.prefix)'").strip()) == Path(sys.prefix)
