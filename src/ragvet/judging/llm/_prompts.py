"""The instructions to the model: readable files, replaceable one by one, part of the judge's fingerprint."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from ragvet.errors import InputError, Problem
from ragvet.records import Case
from ragvet.text import fold

_RULES = ("rules", "rubric", "correction")
TOPIC_PROMPTS = (
    "claims",
    "behaviour",
    "support",
    "conflicts",
    "coverage",
    "agreement",
    "relevance",
    "addressed",
)
EXAMPLES = "examples"
NAMES = (*_RULES, *TOPIC_PROMPTS, EXAMPLES)

_VERSION = re.compile(r"\A\ufeff?\s*<!--\s*version:\s*(\S+)\s*-->\s*\n")
_TELLING = 16
"""Shorter texts ("Yes.", "30 days") stand in many examples by chance."""


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompt texts in use, by name, and the version each file states. Texts decide the fingerprint."""

    texts: Mapping[str, str]
    versions: Mapping[str, str]

    def system(self, topics: tuple[str, ...]) -> str:
        """The instructions for a request about these topics."""
        parts = [self.texts["rules"], *(self.texts[topic] for topic in topics), self.texts["rubric"]]
        if EXAMPLES in self.texts:
            parts.append(self.texts[EXAMPLES])
        return "\n\n".join(parts)

    def correction(self, problems: list[str]) -> str:
        """What the model is told when its reply cannot be used."""
        return self.texts["correction"].replace("{problems}", "\n".join(f"- {problem}" for problem in problems))

    def refuse_leak(self, case: Case) -> None:
        """Raise `InputError` where the examples hold the question or an expected statement of `case`."""
        if EXAMPLES not in self.texts:
            return
        shown = fold(self.texts[EXAMPLES]).text
        golden = {
            "question": case.question,
            "reference_answer": case.reference_answer or "",
            **{f"required_claims[{i}]": claim.text for i, claim in enumerate(case.required_claims)},
        }
        problems = [
            Problem(
                source=f"prompt file {EXAMPLES}.md",
                found=f"{field} of golden case {case.id}, word for word",
                expected="examples that are not in the golden set: a judge that has seen the case cannot judge it",
                action="Replace the example.",
                record=case.id,
                field=field,
            )
            for field, text in golden.items()
            if len(words := fold(text).text.strip()) >= _TELLING and words in shown
        ]
        if problems:
            raise InputError(problems)


def load_prompts(language: str = "en", folder: Path | None = None) -> Prompts:
    """The prompts for a language: the project's file where `folder` has one, else the package's, else English.

    A project's file for one language lies in `folder/<language>/<name>.md`, for all of them in `folder/<name>.md`.
    `examples.md` is empty in the package: examples are the project's own.

    Raises:
        InputError: the folder or a file in it cannot be read, is empty, or has a name no prompt has.
    """
    problems = list(_strays(folder, language)) if folder is not None else []
    texts: dict[str, str] = {}
    versions: dict[str, str] = {}
    for name in NAMES:
        source, text = _find(name, language, folder)
        if text is None:
            continue
        stated = _VERSION.match(text)
        body = text[stated.end() :].strip() if stated else text.lstrip("\ufeff").strip()
        if not body:
            problems.append(Problem(source, "an empty file", "the text of the prompt", "Write it, or remove the file."))
        texts[name] = body
        versions[name] = stated.group(1) if stated else "unversioned"
    if problems:
        raise InputError(problems)
    return Prompts(texts, versions)


def _find(name: str, language: str, folder: Path | None) -> tuple[str, str | None]:
    if folder is not None:
        for path in (folder / language / f"{name}.md", folder / f"{name}.md"):
            if path.is_file():
                try:
                    return str(path), path.read_text(encoding="utf-8")
                except (OSError, UnicodeDecodeError) as error:
                    problem = Problem(str(path), str(error), "a readable UTF-8 text", "Correct the file.")
                    raise InputError(problem) from error
    package = files("ragvet.judging.llm") / "prompts"
    for code in (language, "en"):
        resource = package / code / f"{name}.md"
        if resource.is_file():
            return resource.name, resource.read_text(encoding="utf-8")
    return f"{name}.md", None


def _strays(folder: Path, language: str) -> list[Problem]:
    if not folder.is_dir():
        return [Problem("[judge]", str(folder), "a folder of prompt files", "Correct the path.", field="prompts")]
    known = ", ".join(f"{name}.md" for name in NAMES)
    found = [*folder.glob("*.md"), *(folder / language).glob("*.md")]
    return [
        Problem(str(path), "a file that is no prompt", f"one of {known}", "Rename or remove it.")
        for path in sorted(found)
        if path.stem not in NAMES
    ]
