"""The `[judge]` table of `ragvet.toml`, and the judge it stands for. There is no default vendor."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, NonNegativeFloat, model_validator

from ragvet.judging._model_settings import ModelSettings
from ragvet.judging._panel import Panel, Rule
from ragvet.judging._protocol import Judge
from ragvet.judging._register import Register
from ragvet.judging._store import ReplyStore
from ragvet.judging._whole_answers import as_judge
from ragvet.records import Case, Record, Trace

if TYPE_CHECKING:
    from ragvet.judging.llm import Budget, Estimate


class OfflineSettings(Record):
    """The rules that come with ragvet: no network, no keys, `undecided` where they cannot tell."""

    kind: Literal["offline"] = "offline"


class HumanSettings(Record):
    """People's labels from a file."""

    kind: Literal["human"]
    labels: Path = Field(description="JSONL, one record of the shape of `Verdicts` a line.")


class PanelSettings(Record):
    """Several judges that vote."""

    kind: Literal["panel"]
    rule: Rule = "majority"
    members: tuple[OneJudge, ...] = Field(min_length=2)
    budget: NonNegativeFloat | None = Field(
        default=None, allow_inf_nan=False, description="US dollars of all members together."
    )

    @model_validator(mode="after")
    def _one_budget(self) -> Self:
        if any(isinstance(member, ModelSettings) and member.budget is not None for member in self.members):
            raise ValueError("a member has a budget of its own: give the panel one budget for all of them")
        return self


OneJudge = Annotated[OfflineSettings | ModelSettings | HumanSettings, Field(discriminator="kind")]
JudgeSettings = Annotated[OfflineSettings | ModelSettings | HumanSettings | PanelSettings, Field(discriminator="kind")]
"""`kind = "offline"`, `"model"`, `"human"` or `"panel"`, and what that kind needs."""

PanelSettings.model_rebuild()


def placed(settings: JudgeSettings, folder: Path) -> JudgeSettings:
    """The settings with their paths taken from `folder`, where the configuration lies."""
    match settings:
        case PanelSettings():
            members = tuple(placed(member, folder) for member in settings.members)
            return settings.model_copy(update={"members": members})
        case HumanSettings():
            return settings.model_copy(update={"labels": folder / settings.labels})
        case ModelSettings() if settings.prompts is not None:
            return settings.model_copy(update={"prompts": folder / settings.prompts})
        case _:
            return settings


def with_budget(settings: JudgeSettings, dollars: float) -> JudgeSettings:
    """The settings with another limit on what models may cost; a judge that costs nothing stays as it is."""
    if isinstance(settings, ModelSettings | PanelSettings):
        return settings.model_copy(update={"budget": dollars})
    return settings


def models_of(settings: JudgeSettings) -> tuple[ModelSettings, ...]:
    """The models that judge under these settings."""
    members = settings.members if isinstance(settings, PanelSettings) else (settings,)
    return tuple(member for member in members if isinstance(member, ModelSettings))


def build_judge(
    settings: JudgeSettings, *, database: Path | None = None, fresh: bool = False, register: Register | None = None
) -> Judge:
    """The judge of a `[judge]` table.

    Args:
        settings: the table.
        database: the project's `.ragvet/ragvet.db`, where replies of models are kept; None: nothing is kept.
        fresh: ask a model again even where its reply is kept.
        register: the corpus, to look citations up in: does the document exist, in which version, and for whom.

    Raises:
        InputError: labels that cannot be read, a key that is not in its environment variable.
        JudgeError: a model server that cannot be reached or can do none of the structured-output modes.
    """
    match settings:
        case PanelSettings():
            budget = _shared_budget(settings)
            build = partial(_one_judge, database=database, fresh=fresh, register=register, budget=budget)
            return Panel([build(member) for member in settings.members], settings.rule)
        case _:
            return _one_judge(settings, database=database, fresh=fresh, register=register)


def _shared_budget(settings: PanelSettings) -> Budget | None:
    """One budget for all models of a panel; None where it has none."""
    if not models_of(settings):
        return None
    from ragvet.judging.llm import Budget  # noqa: PLC0415 - loaded only where a model judges

    return Budget(settings.budget)


def estimate(
    settings: JudgeSettings, items: Iterable[tuple[Case, Trace]], *, database: Path | None = None, fresh: bool = False
) -> Estimate:
    """What judging these answers would take that is not kept in `database` yet; nothing is sent, no key is needed.

    A judge without a model takes nothing. `fresh` counts as if no reply were kept. People who sit in a panel are left
    out: where they come first, claims are those of the next member.
    """
    from ragvet.judging.llm import Rehearsal, estimate_judging  # noqa: PLC0415 - loaded only where a model judges

    with ExitStack() as stack:
        store = None
        if models_of(settings) and database is not None and not fresh and database.is_file():
            store = stack.enter_context(closing(ReplyStore(database)))
        models: list[Rehearsal] = []
        seated: list[Judge] = []
        for member in settings.members if isinstance(settings, PanelSettings) else (settings,):
            match member:
                case ModelSettings():
                    models.append(Rehearsal(member, store))
                    seated.append(models[-1])
                case OfflineSettings():
                    seated.append(_one_judge(member, database=None, fresh=fresh, register=None))
                case HumanSettings():
                    pass
        judge = None
        if models:
            rule = settings.rule if isinstance(settings, PanelSettings) else "majority"
            judge = seated[0] if len(seated) == 1 else Panel(seated, rule)
        return estimate_judging(judge, models, items)


def _one_judge(
    settings: OneJudge,
    *,
    database: Path | None,
    fresh: bool,
    register: Register | None,
    budget: Budget | None = None,
) -> Judge:
    match settings:
        case HumanSettings():
            from ragvet.judging._human import HumanJudge  # noqa: PLC0415 - loaded only where people judged

            return as_judge(HumanJudge(settings.labels))
        case ModelSettings():
            from ragvet.judging.llm import build_judge as build_model_judge  # noqa: PLC0415 - the same name, one kind

            return build_model_judge(settings, database=database, fresh=fresh, register=register, budget=budget)
        case OfflineSettings():
            from ragvet.judging.local import OfflineJudge  # noqa: PLC0415 - loads language data

            return OfflineJudge(register=register)
