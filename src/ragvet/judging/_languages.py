"""The languages that rules know: their phrases and words, and which of them a text is in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from ragvet.errors import InputError, Problem, cause
from ragvet.judging._phrases import PHRASE_KINDS, Phrase, Phrases
from ragvet.records import Case
from ragvet.text import fold

_LISTS = (
    *PHRASE_KINDS,
    "refused_alone",
    "sources",
    "source_headings",
    "yes_or_no",
    "openers",
    "limiters",
    "negations",
    "denies_nothing",
    "function_words",
    "pronouns",
    "speakers",
    "scripts",
)
_TABLES = ("numbers", "scales", "units", "quantifiers")


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """What the rules know about one language, in folded form."""

    code: str
    decimal: str
    scripts: tuple[str, ...]
    function_words: frozenset[str]
    pronouns: frozenset[str]
    speakers: frozenset[str]
    phrases: tuple[Phrase, ...]
    refused_alone: frozenset[str]
    source_headings: frozenset[str]
    yes_or_no: re.Pattern[str]
    openers: re.Pattern[str]
    limiters: frozenset[str]
    negations: frozenset[str]
    denies_nothing: tuple[str, ...]
    quantifiers: Mapping[str, tuple[str, ...]]
    months: Mapping[str, int]
    numbers: Mapping[str, float]
    scales: Mapping[str, float]
    units: Mapping[str, str]

    @property
    def tells_polarity(self) -> bool:
        """Whether the rules know how this language denies: without, the same words may say the opposite."""
        return bool(self.negations)

    def is_content(self, word: str) -> bool:
        """Whether a folded word carries content: no function word and no negation."""
        return word not in self.function_words and not self.is_negation(word)

    def is_negation(self, word: str) -> bool:
        """Whether a folded word denies what it stands with."""
        return word in self.negations or word.endswith("n't")


@dataclass(frozen=True, slots=True, eq=False)
class Languages:
    """The language files in use: those of the package, and what the user added.

    `months` has every name of a month in any of them, `phrases` every phrase; `source` is the text of the files, for a
    fingerprint.
    """

    by_code: Mapping[str, Language]
    months: Mapping[str, int]
    phrases: Phrases
    source: str

    def get(self, code: str) -> Language:
        """The language of that code (`pt-BR` falls back to `pt`); one that no file is about has no words at all."""
        short = code.lower().replace("_", "-").split("-")[0]
        return self.by_code.get(short) or _without_lists(short)


@cache
def _without_lists(code: str) -> Language:
    return _language(code, {})


@cache
def _packaged() -> tuple[tuple[str, str], ...]:
    folder = files("ragvet.judging") / "languages"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple((name, (folder / name).read_text(encoding="utf-8")) for name in names)


@lru_cache(maxsize=8)
def load_languages(extra: tuple[Path, ...] = ()) -> Languages:
    """The languages of the package, extended by the user's files.

    Args:
        extra: files of the same form, named for the language (`en.toml`, `pt.toml`). Lists and tables are added to
            what the package has for that language; a new language needs only the lists it uses.

    Raises:
        InputError: a file cannot be read, is no TOML, or holds a key no rule uses.
    """
    sources = [(name, text, name) for name, text in _packaged()]
    problems: list[Problem] = []
    for path in extra:
        try:
            sources.append((path.name, path.read_text(encoding="utf-8"), str(path)))
        except (OSError, UnicodeDecodeError) as error:
            problems.append(
                Problem(str(path), cause(error), "a readable UTF-8 TOML file", "Correct the path or the file.")
            )
    merged: dict[str, dict[str, Any]] = {}
    for name, text, source in sources:
        try:
            fields = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            problems.append(Problem(source, str(error), "TOML", "Correct the file at that place."))
            continue
        problems.extend(_misfits(source, fields))
        _extend(merged.setdefault(name.removesuffix(".toml").lower(), {}), fields)
    if problems:
        raise InputError(problems)
    by_code = {code: _language(code, fields) for code, fields in merged.items()}
    months = {name: number for one in by_code.values() for name, number in one.months.items()}
    phrases = Phrases(phrase for one in by_code.values() for phrase in one.phrases)
    return Languages(by_code, months, phrases, "\n".join(text for _, text, _ in sources))


def _misfits(source: str, fields: Mapping[str, Any]) -> Iterable[Problem]:
    known = (*_LISTS, *_TABLES, "months", "decimal")
    for key, value in fields.items():
        found = repr(value)[:60]
        if key in _LISTS and not _is_list_of_strings(value):
            yield Problem(source, found, "a list of strings", 'Write it as ["…", "…"].', field=key)
        elif key == "months" and not (
            isinstance(value, list) and all(map(_is_list_of_strings, cast("list[Any]", value)))
        ):
            yield Problem(
                source, found, "a list of the names of each month", 'Write it as [["january", "jan"], …].', field=key
            )
        elif key in _TABLES and not isinstance(value, dict):
            yield Problem(source, found, "a table", f"Write it under [{key}].", field=key)
        elif key not in known:
            names = ", ".join(sorted(known))
            yield Problem(source, repr(key), f"one of {names}", "Correct the name or remove the line.", field=key)


def _is_list_of_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in cast("list[Any]", value))


def _extend(known: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, list):
            known[key] = [*known.get(key, []), *cast("list[Any]", value)]
        elif isinstance(value, dict):
            known[key] = {**known.get(key, {}), **cast("dict[str, Any]", value)}
        else:
            known[key] = value


def _folded(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(fold(word).text.strip() for word in words)


def _language(code: str, fields: Mapping[str, Any]) -> Language:
    def table(name: str) -> dict[str, Any]:
        return {fold(key).text: value for key, value in fields.get(name, {}).items()}

    sources = _folded(fields.get("sources", ()))
    months = {name: number for number, names in enumerate(fields.get("months", []), start=1) for name in _folded(names)}
    return Language(
        code=code,
        decimal=fields.get("decimal", "."),
        scripts=tuple(fields.get("scripts", ("latin",))),
        function_words=frozenset(_folded(fields.get("function_words", ()))),
        pronouns=frozenset(_folded(fields.get("pronouns", ()))),
        speakers=frozenset(_folded(fields.get("speakers", ()))),
        phrases=tuple(
            Phrase.read(kind, phrase, sources)
            for kind in PHRASE_KINDS
            for phrase in fields.get(kind, ())
            if phrase.strip(" *")
        ),
        refused_alone=frozenset(_folded(fields.get("refused_alone", ()))),
        source_headings=frozenset(_folded(fields.get("source_headings", ()))),
        yes_or_no=_before_comma(fields.get("yes_or_no", ())),
        openers=_openers((*fields.get("yes_or_no", ()), *fields.get("openers", ())), fields.get("sources", ())),
        limiters=frozenset(_folded(fields.get("limiters", ()))),
        negations=frozenset(_folded(fields.get("negations", ()))),
        denies_nothing=_folded(fields.get("denies_nothing", ())),
        quantifiers={name: _folded(words) for name, words in fields.get("quantifiers", {}).items()},
        months=months,
        numbers=table("numbers"),
        scales=table("scales"),
        units=table("units"),
    )


def _openers(openers: Iterable[str], sources: Sequence[str]) -> re.Pattern[str]:
    """What opens a sentence and says nothing, with the comma after it; `{source}` stands for one of `sources`."""
    phrases = {one.replace("{source}", source) for one in openers for source in (sources if "{" in one else ("",))}
    # Bounded: texts are searched at each of their sentences, of which a hostile one has nothing but openers and signs.
    return re.compile(rf"\W{{0,20}}(?=\w)(?:{_before_comma(phrases).pattern}\s*){{1,4}}(?=\w)", re.IGNORECASE)


def _before_comma(phrases: Iterable[str]) -> re.Pattern[str]:
    """One of the phrases, as a group, with the comma after it."""
    spaced = (re.escape(one).replace(r"\ ", r"\s+") for one in sorted(phrases, key=len, reverse=True))
    return re.compile(rf"(?<!\w)({'|'.join(spaced) or '(?!)'})\s*[,،，、：:!！]", re.IGNORECASE)


_SCRIPTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("kana", re.compile(r"[\u3040-\u30ff]")),
    ("han", re.compile(r"[\u3400-\u9fff]")),
    ("arabic", re.compile(r"[\u0600-\u06ff]")),
    ("devanagari", re.compile(r"[\u0900-\u097f]")),
    ("cyrillic", re.compile(r"[\u0400-\u04ff]")),
    ("hangul", re.compile(r"[\u1100-\u11ff\uac00-\ud7a3]")),
    ("hebrew", re.compile(r"[\u0590-\u05ff]")),
    ("greek", re.compile(r"[\u0370-\u03ff]")),
    ("indic", re.compile(r"[\u0980-\u0dff]")),
    ("thai", re.compile(r"[\u0e00-\u0eff]")),
)
_PERSIAN = re.compile(r"[\u067e\u0686\u0698\u06a9\u06af\u06cc]")
"""Letters of Persian and Urdu that Arabic does not write."""
_UNKNOWN = "und"
"""The code of a language nobody determined, as BCP 47 has it."""
_FREQUENT_WORDS: Mapping[str, frozenset[str]] = {
    code: frozenset(words.split())
    for code, words in {
        "cs": "a ale ano bez by byl co do jak je jsem jsou ke když který na nebo není podle se tento to v ve z že",
        "da": "af at den der det du en er et for fra han har i ikke jeg kan med og om på skal som til var ved vi",
        "fi": "ei että hän ja joka jos kanssa kun mutta myös ne niin ole on ovat se sen sekä siitä tai tämä voi",
        "id": (
            "ada adalah akan atau bagi bahwa bisa dalam dan dapat dari dengan di ini itu ke kami maaf pada saya "
            "tidak untuk yang"
        ),
        "it": (
            "al anche che chi con da dei del della delle di e gli ha i il in la le lo ma nei nel nella non o per "
            "più se si sono su un una è"
        ),
        "nl": (
            "aan als bij dat de deze die dit een en er geen het hij ik in is kan maar met mij naar niet of om ook "
            "op te uit van voor wat weet wij zijn"
        ),
        "pl": (
            "ale być czy dla do i jak jest jego można na nie o od po przez przy są się tak tego temat ten to w z za że"
        ),
        "pt": (
            "a ao aos as com da das de do dos e em essa esse esta este isso mais mas na nas no nos não o os ou "
            "para pela podem por que se sem seu sua são um uma é"
        ),
        "ro": "a al ale care ce cu de din este fi fost în la mai nu o pe pentru sau se sunt și un",
        "sv": "att av den det du en ett från för han har i inte jag kan med och om på ska som till var vi är",
        "tr": (
            "ama bir bu bunu da de daha değil en gibi hakkında için ile ise kadar ki konuda mi ne olan olarak "
            "sonra üzgünüm var ve veya ya yok"
        ),
        "vi": (
            "bạn cho các có của cũng đã đây đó được hoặc không là lỗi này những một nhưng theo thì tôi trong từ "
            "và về với xin"
        ),
    }.items()
}
"""Words by which a language is told that no file is about."""
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 2000


def answer_language(case: Case, text: str, languages: Languages | None = None) -> str:
    """The language of an answer: as the case is labelled where that is a code a language file has, else as found."""
    languages = languages or load_languages()
    label = case.labels.get("language", "").lower().replace("_", "-").split("-")[0]
    return label if label in languages.by_code else language_of(text, languages)


def language_of(text: str, languages: Languages | None = None) -> str:
    """The code of the language `text` is most likely written in, by its script, else by its function words.

    It may be one that no file is about, or `und` where the script is that of no language with a file.
    """
    return _language_of(text[:_SAMPLE], languages or load_languages())


@lru_cache(maxsize=512)  # the same passage is asked about with each claim
def _language_of(sample: str, languages: Languages) -> str:
    script = _script_of(sample)
    if script == "arabic" and "fa" not in languages.by_code and _PERSIAN.search(sample):
        return "fa"
    candidates = [one for one in languages.by_code.values() if one.scripts and one.scripts[0] == script]
    if len(candidates) == 1:
        return candidates[0].code
    words = _WORD.findall(fold(sample).text)
    hits = {one.code: sum(map(one.function_words.__contains__, words)) for one in candidates}
    if script == "latin":
        written = _WORD.findall(sample.lower())
        strangers = {code: known for code, known in _FREQUENT_WORDS.items() if code not in languages.by_code}
        hits |= {code: _telling(known.intersection(written)) for code, known in strangers.items()}
    best = max(hits, key=lambda code: hits[code], default=_UNKNOWN)
    return best if hits.get(best) else ("en" if script == "latin" else next(iter(hits), _UNKNOWN))


def _telling(words: frozenset[str]) -> int:
    """How many words tell of a language that no file is about; a single plain one may be a name or an abbreviation."""
    return len(words) if len(words) > 1 or not "".join(words).isascii() else 0


def _script_of(sample: str) -> str:
    """The script of most letters; Latin where none of the others has many."""
    if sample.isascii():
        return "latin"
    letters = sum(map(str.isalpha, sample)) or 1
    counts = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS}
    if counts["kana"] > 0.05 * letters:
        counts["kana"] += counts["han"]
    script, share = max(counts.items(), key=lambda item: item[1])
    return script if share >= 0.3 * letters else "latin"
