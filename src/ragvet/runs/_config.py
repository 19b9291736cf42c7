"""`ragvet.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, model_validator

from ragvet.dataset import validate
from ragvet.errors import BundleError, InputError, Problem, cause
from ragvet.files import RawRecord
from ragvet.judging import JudgeSettings, OfflineSettings
from ragvet.judging import placed as placed_judge
from ragvet.metrics.answers import ConditionDeclaration
from ragvet.records import JudgmentScope, Record, Split
from ragvet.runs._manifest import read_manifest, to_go_on
from ragvet.targets import HttpEndpoint

__all__ = [
    "AnswersConfig",
    "CallPolicy",
    "Config",
    "DatasetConfig",
    "NoJudge",
    "RetrievalConfig",
    "TargetConfig",
    "config_of",
    "load_config",
    "read_table",
]


Table = TypeVar("Table", bound=Record)


class DatasetConfig(Record):
    """`[dataset]`: the golden set and what it was written about."""

    path: str = Field(min_length=1, description="Golden set: JSON, JSONL or YAML.")
    judgments: JudgmentScope | None = Field(default=None, description="Judgment scope, where the set has none itself.")
    split: Split | Literal["all"] | None = Field(
        default=None, description="The cases to ask. Left out: all but those of the splits holdout and calibration."
    )
    corpus: str | None = Field(default=None, description="Corpus: JSONL, Parquet, or a folder of documents.")


class CallPolicy(Record):
    """How a target is called."""

    concurrency: PositiveInt = Field(default=4, description="Calls at once; fewer after timeouts and overloads.")
    deadline: PositiveFloat = Field(default=60.0, description="Seconds one attempt may take in all.")
    retries: NonNegativeInt = Field(default=1, description="Further attempts after an error; none after a timeout.")
    backoff: PositiveFloat = Field(default=0.5, description="Seconds before the first retry; doubles each time.")
    repeat: PositiveInt = Field(default=1, description="Times each case is asked.")


class TargetConfig(CallPolicy):
    """`[target]`: the system under test: exactly one of `python`, `http` and `recorded`."""

    python: str | None = Field(default=None, description="module:attribute")
    http: HttpEndpoint | None = None
    recorded: str | None = Field(default=None, description="File of recorded traces.")
    retriever: bool = Field(default=False, description="Whether it only retrieves: a text is then no reply.")
    cites: bool | None = Field(
        default=None,
        description="Whether it cites what it says: then a claim without a citation lacks one. "
        "Left out: it does if any answer of the run cites.",
    )

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = [name for name in ("python", "http", "recorded") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"give exactly one of python, http and recorded, not {' and '.join(given) or 'none'}")
        return self


class RetrievalConfig(Record):
    """`[retrieval]`: the two depths everything is scored at."""

    supplied_k: PositiveInt = Field(description="How many passages the model is given.")
    deep_k: PositiveInt = Field(description="How deep the ranking is looked at: what a reranker could bring up.")
    overlap: float = Field(
        default=0.5, gt=0, le=1, description="Share of a gold passage a chunk must hold to count as carrying it."
    )
    metrics: tuple[str, ...] = Field(default=(), description="Further metrics by name, e.g. nDCG@20.")

    @model_validator(mode="after")
    def _deeper(self) -> Self:
        if self.deep_k < self.supplied_k:
            raise ValueError(f"deep_k ({self.deep_k}) no smaller than supplied_k ({self.supplied_k})")
        return self


class AnswersConfig(Record):
    """`[answers]`: what answers must hold."""

    validated: tuple[ConditionDeclaration, ...] = Field(
        default=(), description="What an answer must hold all of to count as validated; empty: not measured."
    )


class NoJudge(Record):
    """`[judge] kind = "none"`: answers are not judged; only what needs no verdict is counted."""

    kind: Literal["none"] = "none"


JudgeTable = Annotated[JudgeSettings | NoJudge, Field(discriminator="kind")]


class Config(Record):
    """A whole `ragvet.toml`."""

    dataset: DatasetConfig = Field(description="The golden set: path, and corpus where there is one.")
    target: TargetConfig = Field(description="Who is asked: python, recorded or http.")
    retrieval: RetrievalConfig = Field(description="The two depths: supplied_k and deep_k.")
    judge: JudgeTable = Field(default=OfflineSettings(), description="Who judges: rules, a model, people, a panel.")
    answers: AnswersConfig = AnswersConfig()
    seed: NonNegativeInt = 0


def load_config(path: Path | str) -> Config:
    """The configuration in `path`; paths in it are taken from the folder it lies in.

    Raises:
        InputError: with every problem of the file, a misspelt name with the nearest right one.
    """
    path = Path(path)
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        action = "Write one (`ragvet init` in an empty folder shows how), or name it with --config."
        raise InputError(Problem(str(path), "no such file", "a configuration", action)) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(
            Problem(str(path), f"no readable TOML: {cause(error)}", "a TOML file", "Mend the file.")
        ) from error
    return _placed(read_table(Config, written, str(path)), path.parent)


def read_table(table: type[Table], written: Mapping[str, Any], source: str) -> Table:
    """A table of a configuration out of what was written.

    Raises:
        InputError: with every problem, under the name `source`.
    """
    good, problems = validate(table, [RawRecord(written)], source)
    if problems:
        raise InputError(replace(problem, record=None) for problem in problems)
    return good[0][0]


def _placed(config: Config, folder: Path) -> Config:
    def place(path: str | None) -> str | None:
        return None if path is None else str(folder / path)

    dataset = config.dataset.model_copy(
        update={"path": place(config.dataset.path), "corpus": place(config.dataset.corpus)}
    )
    target = config.target.model_copy(update={"recorded": place(config.target.recorded)})
    placed: dict[str, Any] = {"dataset": dataset, "target": target}
    if "judge" in config.model_fields_set and not isinstance(config.judge, NoJudge):
        placed["judge"] = placed_judge(config.judge, folder)
    return config.model_copy(update=placed)


def config_of(folder: Path) -> Config:
    """The configuration a run was started with.

    Raises:
        BundleError: the folder is no run that was captured.
        InputError: the run was started from Python; only Python knows its target.
    """
    manifest = read_manifest(folder)
    if manifest.judged_from is not None:
        raise BundleError(
            f"{folder}: holds the traces of run {manifest.judged_from}; go on with: {to_go_on(manifest, folder)}"
        )
    source = f"run {manifest.run_id}"
    if "dataset" not in manifest.config:
        action = f"Go on from there: ragvet.evaluate(…, resume={manifest.run_id!r})."
        raise InputError(Problem(source, "a run that was started from Python", "one with a configuration", action))
    return read_table(Config, manifest.config, source)
